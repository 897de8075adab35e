// What commands do so that deletions, edits and imports can be taken back.
import type { deletionEffect } from '../../commands/_schemas/deletion-effect.ts'
import type { change, deletedKinds } from '../../commands/_schemas/undo.ts'
import type { CommandStore } from '../../stores/store.ts'
import type { FromSchema } from './from-schema.ts'
import type { Changer, Refusal, Request, Rights } from './request.ts'

/** What can be taken back. */
export type UndoEntry = FromSchema<typeof change>

/**
 * What is to be deleted: a record by its id, computers by their addresses, of an image perhaps one version alone;
 * `address`: computers are to get others.
 */
export interface Deletion {
  kind: (typeof deletedKinds)[number] | 'address'
  id?: number | string
  clients?: readonly string[]
  version?: number
}

/** What a deletion does to some records, or to jobs. */
export type DeletionEffect = FromSchema<typeof deletionEffect>

export interface UndoService {
  /** What a deletion would do to schedules and queued commands, in words; asked before it. */
  effects(deletion: Deletion, caller: Pick<Request, 'rights'>): Promise<string[]>
  /** The same for programs. */
  effectDetails(deletion: Deletion, caller: Pick<Request, 'rights'>): Promise<DeletionEffect[]>
  /** For how many days the caller could take such a deletion back; 0: not at all. */
  daysFor(kind: Deletion['kind'], caller: Pick<Request, 'rights'>): number
  /**
   * Calls a method of the store. What it deletes or edits, and the computers that it adds, can be taken back for 30
   * days: it is kept in the same step, and the response has the id in `X-Undo-Id`.
   */
  keep<Result>(changer: Changer, call: (store: CommandStore) => Promise<Result>): Promise<Result>
  /** What the caller may take back, the newest first; with an id that alone, with names. */
  list(rights: Rights, id?: string): Promise<UndoEntry[]>
  /**
   * Without an id the caller's own last change. Refused with 409 when later edits have set the same values, without
   * `overwrite`.
   */
  apply(
    id: number | undefined,
    request: Pick<Request, 'rights' | 'kept' | 'about' | 'warn'>,
    overwrite?: boolean,
  ): Promise<UndoEntry | Refusal>
}
