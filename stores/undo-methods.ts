// Taking back what a method of the store has deleted or edited, or what an import has changed. Types only.
import type { UndoItem } from './records/undo-item.ts'
import type { Computer, ComputerChange, Entry } from './types.ts'

export type { UndoItem, ValueChange } from './records/undo-item.ts'

/** A record that has another name than before. */
export interface Renamed {
  kind: string
  from: string
  to: string
}

/** Why something cannot be taken back: for people, and for programs as a code with what the words name. */
export interface UndoConflict {
  text: string
  cause: { code: string; [value: string]: string | number }
}

export interface UndoOptions {
  /** Says of what would be there again, and of records before and after the undo, why it cannot be done. */
  check?: ((entries: Entry[]) => UndoConflict | undefined) | undefined
  /** The account that answers for schedules with former values; without it their own stays. */
  account?: string | undefined
  /** Whether a text may name the computer with this address; by default each. */
  hasClient?: (addr: string) => boolean
}

/** Who does something, and when. */
export interface UndoNote extends Pick<UndoItem, 'at' | 'by' | 'account'> {
  /** The id of an edit of the same account, to which another edit is added: both are taken back as one. */
  joins?: number | undefined
  /** How often the edit that it takes back was taken back and made again, this time included. */
  undone?: number | undefined
}

/** What taking something back has done. */
export interface Undone {
  item: UndoItem
  /** What is there again, in the order of a dump. */
  restored: Entry[]
  /** The computers that an import had added, as they were. */
  deleted: Computer[]
  /** The computers that were edited, as they were until now, and what they have again. */
  before: Computer[]
  changes: ComputerChange[]
  /** Other records that were edited, as they are again. */
  edited: Entry[]
  /** What has another name than before, as another record has that one now. */
  renamed: Renamed[]
}

/** Of one change: the deleted records, in the order of their ids, and the ids of the computers that were added. */
export interface UndoNames {
  removed: { kind: string; name: string }[]
  added: number[]
  /** The records that were edited, with the keys of what has changed. */
  edited: { kind: string; record: number; keys: string[] }[]
}

export interface UndoMethods<Methods = unknown> {
  /**
   * Calls one method of the store that it passes. What this deletes or edits, and the computers that it adds, can be
   * taken back: stored in the same step. `item` is undefined when it has changed nothing of that.
   */
  keep<Result>(note: UndoNote, call: (store: Methods) => Promise<Result>): Promise<{ result: Result; item?: UndoItem }>
  /** In the order of the ids. */
  list(): Promise<UndoItem[]>
  /** Undefined: there is none with this id. */
  names(id: number): Promise<UndoNames | undefined>
  /**
   * Stores everything again under its ids, and under free names where others have got theirs, and deletes the computers
   * that were added; it cannot be done twice. Schedules skip what was due until `now`. Undefined: there is none with this
   * id.
   */
  apply(id: number, now: number, options?: UndoOptions): Promise<Undone | UndoConflict | undefined>
  /** Deletes those before `before`, and all but the newest `keep`: the ids of the computers that are gone with them. */
  trim(limits: { before: number; keep: number }): Promise<number[]>
}
