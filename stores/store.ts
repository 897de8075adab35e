// The interface of a store: methods in words of the domain, which any database engine can implement. Types only.
//
// Each method is one atomic step: all of it happens or nothing. A mutation resolves when its data is on disk.
// Reads resolve to copies that the reader may change, or to values that are `Frozen`. An outcome that a caller can cause
// is a value; a rejected promise means that the engine itself failed (disk full, server gone), and nothing has changed.
// Ids are positive integers that are never assigned twice, not even after a delete and a restart; 0 means "none".
import type { Accounts } from './account-methods.ts'
import type { StoreLog, StoreOptions } from './adapter-types.ts'
import type { GroupMethods } from './group-methods.ts'
import type { ImageMethods } from './image-methods.ts'
import type { InventoryMethods } from './inventory-methods.ts'
import type { Documents, StoredEvents } from './module-methods.ts'
import type { ScheduleMethods } from './schedule-methods.ts'
import type { SearchMethods } from './search-types.ts'
import type { StepLists } from './step-methods.ts'
import type {
  CancelTarget,
  Center,
  Change,
  Changed,
  Computer,
  ComputerChange,
  ComputerCount,
  ComputerValues,
  Conflict,
  EndedParts,
  Entry,
  Frozen,
  IndexedPart,
  Job,
  JobFilter,
  New,
  Part,
  PartCounts,
  PartPage,
  Procedure,
  Repository,
  Room,
  ScopeNode,
  StoreLimits,
  Task,
  Token,
  UnfinishedPage,
  UnfinishedParts,
  User,
  WaitingParts,
} from './types.ts'
import type { UndoMethods } from './undo-methods.ts'

export type * from './account-methods.ts'
export type * from './adapter-types.ts'
export type * from './cluster-types.ts'
export type * from './group-methods.ts'
export type * from './image-methods.ts'
export type * from './inventory-methods.ts'
export type * from './module-methods.ts'
export type * from './schedule-methods.ts'
export type * from './search-types.ts'
export type * from './step-methods.ts'
export type * from './types.ts'
export type * from './undo-methods.ts'

/** What commands are handed. */
export interface CommandStore {
  /** Each level in the order of the ids; another object after a change of it, of a tag or of a group. */
  scopes(): Promise<Frozen<ScopeNode[]>>

  centers: {
    /** The new id, or undefined when the name is taken. */
    add(center: New<Center>): Promise<number | undefined>
    update(change: Pick<Center, 'id'> & Partial<Center>): Promise<'updated' | 'unknown' | 'name taken'>
    /** Also deletes its rooms, computers, procedures and tasks. The deleted computers, or undefined for an unknown id. */
    delete(id: number): Promise<Computer[] | undefined>
  }

  rooms: {
    /** The new id; names are unique within a center. */
    add(room: New<Room>): Promise<number | 'name taken' | 'unknown center'>
    find(id: number): Promise<Room | undefined>
    /** In the order of the ids. */
    list(): Promise<Room[]>
    /** Other values stay as they are: another host may just have changed them. */
    update(change: Pick<Room, 'id'> & Partial<Room>): Promise<'updated' | 'unknown' | 'name taken' | 'unknown center'>
    /** Also deletes its computers. The deleted computers, or undefined for an unknown id. */
    delete(id: number): Promise<Computer[] | undefined>
  }

  repositories: {
    list(): Promise<Repository[]>
    /** The new id, or undefined when the name is taken. */
    add(repository: New<Repository>): Promise<number | undefined>
    /** `slots: 0` removes the limit. */
    update(change: Pick<Repository, 'id'> & Partial<Repository>): Promise<'updated' | 'unknown' | 'name taken'>
    /** Repository 1 and one that a computer or an image names are `in use`. */
    delete(id: number): Promise<'deleted' | 'unknown' | 'in use'>
  }

  groups: GroupMethods

  computers: SearchMethods & {
    /** All or none. An empty list when all are stored, else every conflict (a repeated address in the list is one). */
    add(computers: New<Computer>[]): Promise<Conflict[]>
    find(ip: string): Promise<Frozen<Computer & { center: number }> | undefined>
    /** Those of these addresses, in any order; ignores unknown addresses. */
    findMany(ips: readonly string[]): Promise<Frozen<Computer & { center: number }>[]>
    /** Those of a room, or all, in the order of the ids. */
    list(room?: number): Promise<Computer[]>
    /**
     * Applies the same change to all computers with these addresses, or to none; ignores unknown addresses. A new `ip`
     * is valid for one computer only.
     */
    update(ips: string[], change: ComputerValues): Promise<'updated' | Conflict['reason']>
    /**
     * Adds the rows without an id and changes the computers that the others name: all or none. Two computers may exchange
     * their addresses; lists of addresses of tasks, scheduled commands and groups follow, also when it is taken back.
     * `before`: the changed computers as they were, in the order of the rows; none after a conflict.
     */
    merge(rows: (New<Computer> | ComputerChange)[]): Promise<{ conflicts: Conflict[]; before: Computer[] }>
    /** The deleted computers; ignores unknown addresses. */
    delete(ips: string[]): Promise<Computer[]>
  }

  inventory: InventoryMethods

  images: ImageMethods

  procedures: StepLists<Procedure>
  tasks: StepLists<Task>

  schedules: ScheduleMethods

  /** Must need little memory: 10,000 finished jobs of 100 parts each are usual. */
  jobs: {
    /** The new id. */
    add(job: New<Job>, parts: Part[]): Promise<number>
    /** Applies all changes in one step; ignores those of jobs or parts that do not exist. */
    update(changes: readonly Change[]): Promise<Changed>
    /** Cancels queued parts. */
    cancel(target: CancelTarget, reason: string, now: number): Promise<EndedParts[]>
    /** Newest first. */
    list(filter: JobFilter): Promise<(Job & { counts: PartCounts })[]>
    /** With `clients` only their parts are counted; undefined when it has none of them. */
    find(id: number, clients?: readonly string[]): Promise<(Job & { counts: PartCounts }) | undefined>
    /**
     * In the order of their indexes, from the first after `after` on; only the parts of `client`, of `clients` and in
     * `state`, if these are set. With `outputs: false` the outputs need not be read: they may be ''.
     */
    parts(id: number, page: PartPage): Promise<IndexedPart[]>
    /** By step, state and reason; only the computers `clients`, if set. */
    countComputers(id: number, clients?: readonly string[]): Promise<ComputerCount[]>
    /** The jobs that have parts in state queued or sent, the oldest first, with these parts only. */
    unfinished(page?: UnfinishedPage): Promise<UnfinishedParts[]>
    /** One for each caller whose jobs have parts in state queued. */
    waiting(): Promise<WaitingParts[]>
    /** Deletes finished jobs created before `before`, and all finished jobs but the newest `keep`. How many it deleted. */
    trim(limits: { before: number; keep: number }): Promise<number>
  }

  tokens: Accounts<Token>
  users: Accounts<User>
}

/** Whose writes may add stored events. */
export type RecordedStore = CommandStore & Pick<Store, 'documents'>

/** Whose changes can be taken back. */
export type KeptStore = Omit<Store, 'close'>

/** What an adapter opens. */
export interface Store extends CommandStore {
  undo: UndoMethods<KeptStore>
  documents: Documents
  storedEvents: StoredEvents<RecordedStore>

  /** The whole store, for backups and for moving to another adapter. */
  backup: {
    /** Whether the store is like a new one: no rows, and no id was ever assigned. */
    isEmpty(): Promise<boolean>
    /** The state of this moment. Rows come after the rows that they name, apart from steps of procedures and tasks. */
    dump(): AsyncIterable<Entry>
    /**
     * Replaces everything with a dump, in one step. Dumps have no stored events, and those of earlier versions no tokens,
     * users, documents, places and keys `by`.
     */
    load(dump: AsyncIterable<Entry>): Promise<void>
  }

  /** Finishes pending writes and releases the engine. The store must not be used afterwards. */
  close(): Promise<void>
}

/** The default export of an adapter's file. Rejects with an error of one line when the store cannot be opened. */
export type OpenStore = (options: StoreOptions, log: StoreLog, limits?: StoreLimits) => Promise<Store>
