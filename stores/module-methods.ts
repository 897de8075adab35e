// What a store keeps for modules: documents of packs, and what has happened to stored things. Types only.
import type { DocumentRecord, StoredEvent } from './records/module.ts'

export type { StoredEvent } from './records/module.ts'

export type Document = Omit<DocumentRecord, 'id'>
export type DocumentKey = Pick<Document, 'pack' | 'collection' | 'key'>

export interface Documents {
  find(key: DocumentKey): Promise<Document | undefined>
  /**
   * The new version. `conflict` unless the stored one has `version` (0: there must be none); `full` when the pack would have
   * more than `mostBytes` bytes of keys and values.
   */
  put(
    document: Omit<Document, 'version'>,
    condition?: { version?: number; mostBytes?: number },
  ): Promise<number | 'conflict' | 'full'>
  /** False when there was none, or one of another version. */
  delete(key: DocumentKey, version?: number): Promise<boolean>
  /** In the order of the keys (by code points): those after `after` that begin with `prefix`. */
  list(
    collection: Omit<DocumentKey, 'key'>,
    page: { prefix?: string; after?: string; limit: number },
  ): Promise<Document[]>
  /** The packs that have documents, by name. */
  sizes(): Promise<{ pack: string; documents: number; bytes: number }[]>
  /** Deletes all documents of a pack; how many. */
  purge(pack: string): Promise<number>
}

/** Events of writes, added in the same step as what they are about: none is lost, whatever happens to the daemon. */
export interface StoredEvents<Methods = unknown> {
  /** The types that the writes of this process add from now on; none at first. */
  record(types: readonly string[]): void
  /**
   * Calls one method of the store that it passes, and adds those events of its result that are of a recorded type in the
   * same step. `derive` may be called more than once. `job-finished` is added without it.
   */
  recording<Result>(
    derive: (result: Result) => readonly { type: string }[],
    call: (store: Methods) => Promise<Result>,
  ): Promise<Result>
  /** The oldest first. An id is never smaller than those that were read before. */
  read(after: number, limit: number): Promise<StoredEvent[]>
  /** Deletes those up to `id`, and the oldest of those that are more than `keep`. */
  trim(id: number, keep: number): Promise<void>
  /** The id of the last one that was added; and up to which id they have been deleted by `keep`, with their times. */
  state(): Promise<{ last: number; lost?: { id: number; since: number; until: number } }>
}
