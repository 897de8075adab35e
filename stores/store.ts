// What a store is: the daemon's records behind domain words that any engine can answer, types only.
//
// Each method is one atomic step: all of it happens or nothing. A mutation resolves when its data is on disk.
// Reads resolve to copies that the reader may change, or to what is `Frozen`. An outcome that a caller can provoke is a
// value; a rejected promise means that the engine itself failed (disk full, server gone), and nothing has changed then.
// Ids are positive integers and never used again, also after a delete and a restart; 0 means "none".

import type {
  Center,
  Computer,
  Conflict,
  CreatedImage,
  DiskReport,
  Entry,
  HardwareItem,
  Image,
  IndexedPart,
  Job,
  JobFilter,
  New,
  Part,
  PartCounts,
  Partition,
  PartUpdate,
  Procedure,
  Repository,
  Room,
  Schedule,
  ScheduledCommand,
  ScopeNode,
  Software,
  StepConflict,
  Task,
} from './types.ts'

export type * from './types.ts'

/**
 * Frozen at every depth. Consoles read it again and again: while nothing in it changes it is best the same object, which
 * is made into JSON once.
 */
export type Frozen<Value> = Value extends object ? { readonly [Key in keyof Value]: Frozen<Value[Key]> } : Value

export interface Store {
  /** The whole tree; each level in the order of the ids. */
  scopes(): Promise<Frozen<ScopeNode[]>>

  centers: {
    /** The new id, or undefined when the name is taken. */
    add(center: New<Center>): Promise<number | undefined>
    /** Takes rooms, computers, procedures and tasks along: the computers that went, or undefined for an unknown id. */
    delete(id: number): Promise<Computer[] | undefined>
  }

  rooms: {
    /** The new id; a name is taken within its center only. */
    add(room: New<Room>): Promise<number | 'name taken' | 'unknown center'>
    find(id: number): Promise<Room | undefined>
    update(room: Room): Promise<'updated' | 'unknown' | 'name taken' | 'unknown center'>
    /** Takes its computers along: these, or undefined for an unknown id. */
    delete(id: number): Promise<Computer[] | undefined>
  }

  repositories: {
    list(): Promise<Repository[]>
    /** The new id, or undefined when the name is taken. */
    add(repository: New<Repository>): Promise<number | undefined>
    /** Repository 1 and one that a computer or an image names are `in use`. */
    delete(id: number): Promise<'deleted' | 'unknown' | 'in use'>
  }

  computers: {
    /** All or none: an empty list when all are stored, else every conflict (an address repeated in the list is one). */
    add(computers: New<Computer>[]): Promise<Conflict[]>
    find(ip: string): Promise<Frozen<Computer & { center: number }> | undefined>
    /** Those of a room, or all, in the order of the ids. */
    list(room?: number): Promise<Computer[]>
    /**
     * The same change of all that have these addresses, or of none; unknown addresses are passed over. A new `ip` is
     * for one computer only.
     */
    update(ips: string[], change: Partial<New<Computer>>): Promise<'updated' | Conflict['reason']>
    /** The computers that went; unknown addresses are passed over. */
    delete(ips: string[]): Promise<Computer[]>
  }

  /** What is known of a computer by its address; an unknown one has empty lists, and writes to it resolve to false. */
  inventory: {
    /** Ordered by disk, then partition. */
    partitions(ip: string): Promise<Partition[]>
    /** The installed operating systems, in the same order. */
    sessions(ip: string): Promise<{ disk: number; partition: number; name: string }[]>
    hardware(ip: string): Promise<Frozen<HardwareItem[]>>
    /** The programs of one partition. */
    software(ip: string, disk: number, partition: number): Promise<string[]>
    /**
     * Replaces the computer's rows. A row whose size, filesystem and os are unchanged keeps its image and software;
     * any other has 0 in both.
     */
    refresh(ip: string, report: DiskReport): Promise<boolean>
    setHardware(ip: string, items: HardwareItem[]): Promise<boolean>
    /** A partition without a row gets one, zero but for its software. */
    setSoftware(ip: string, disk: number, partition: number, software: Software): Promise<boolean>
  }

  images: {
    /** In the order of the ids. */
    list(): Promise<Image[]>
    find(name: string): Promise<Image | undefined>
    /** The new id, or undefined when the name is taken. */
    add(image: New<Image>): Promise<number | undefined>
    /** The image that went, undefined for an unknown id; partitions that named it name none then. */
    delete(id: number): Promise<Image | undefined>
    /** Stores the partition's software; describes the image and names it in the partition, unless its id is unknown. */
    recordCreate(ip: string, made: CreatedImage): Promise<boolean>
    /** The partition gets the image, its software and its operating system. An unknown image leaves it as it was. */
    recordRestore(ip: string, disk: number, partition: number, image: number): Promise<boolean>
  }

  procedures: {
    /** In the order of the ids. */
    list(): Promise<Procedure[]>
    find(id: number): Promise<Procedure | undefined>
    /** The new id. */
    add(procedure: New<Procedure>): Promise<number | StepConflict>
    update(procedure: Procedure): Promise<'updated' | 'unknown' | StepConflict>
    /** One that a procedure, task or schedule names is `in use`. */
    delete(id: number): Promise<'deleted' | 'unknown' | 'in use'>
  }

  tasks: {
    list(): Promise<Task[]>
    find(id: number): Promise<Task | undefined>
    add(task: New<Task>): Promise<number | StepConflict>
    update(task: Task): Promise<'updated' | 'unknown' | StepConflict>
    /** One that a task or schedule names is `in use`. */
    delete(id: number): Promise<'deleted' | 'unknown' | 'in use'>
  }

  schedules: {
    list(): Promise<Schedule[]>
    /** The new id. */
    add(schedule: New<Schedule>): Promise<number>
    /** Stores an errand and, in the same step, a schedule of type command whose `task` is its id: the schedule's. */
    addScheduledCommand(errand: New<ScheduledCommand>, schedule: Omit<New<Schedule>, 'task'>): Promise<number>
    findScheduledCommand(id: number): Promise<ScheduledCommand | undefined>
    /** False for an unknown id. An errand that no schedule names any more goes. */
    update(schedule: Schedule): Promise<boolean>
    /** Sets `since`; an unknown id is passed over. */
    setSince(id: number, since: number): Promise<void>
    /** False for an unknown id. An errand goes with the last schedule that names it. */
    delete(id: number): Promise<boolean>
  }

  /** Must stay small in memory: 10,000 finished jobs of 100 parts each are usual. */
  jobs: {
    /** The new id. */
    add(job: New<Job>, parts: Part[]): Promise<number>
    /** All changes in one step; those of jobs or parts that do not exist are passed over. */
    update(marks: PartUpdate[]): Promise<void>
    /** Newest first. */
    list(filter: JobFilter): Promise<(Job & { counts: PartCounts })[]>
    find(id: number): Promise<(Job & { counts: PartCounts }) | undefined>
    /** In the order of their numbers, from the first after `after`; only one client's when `client` is given. */
    parts(id: number, page: { after?: number; limit: number; client?: string }): Promise<IndexedPart[]>
    /** The jobs that have parts in state queued or sent, the oldest first, with just these parts. */
    unfinished(): Promise<{ job: Job; parts: IndexedPart[] }[]>
    /** Deletes finished jobs created before `before`, and the oldest finished ones beyond `keep`: how many went. */
    trim(limits: { before: number; keep: number }): Promise<number>
  }

  /** The ids of filesystem names beyond the fixed table, 1, 2, … in the order in which they were first asked for. */
  filesystems(names: string[]): Promise<number[]>

  /** All of it, for backups and for moving to another adapter. */
  backup: {
    /** Nothing but what a new store has, and no id was ever given. */
    isEmpty(): Promise<boolean>
    /** As it is at this moment. Collections come in the order above, so that a row comes after those that it names. */
    dump(): AsyncIterable<Entry>
    /** Puts a dump in place of all that is there, in one step. */
    load(entries: AsyncIterable<Entry>): Promise<void>
  }

  /** Writes what is waiting and lets the engine go; the store is not used after it. */
  close(): Promise<void>
}

/** What an adapter's file has as its default export. Rejects with one line that says why it cannot open. */
export type OpenStore = (options: StoreOptions, log: StoreLog) => Promise<Store>

/** What an adapter's file may export besides, for a store in files of its own: looks at them, mends them. */
export interface Maintenance {
  check(options: StoreOptions): Promise<Finding[]>
  repair(options: StoreOptions): Promise<Finding[]>
}

export interface Finding {
  ok: boolean
  /** One line. */
  message: string
}

/** The options' section `store`: `path` is absolute, other keys are the adapter's own. */
export interface StoreOptions {
  adapter: string
  path: string
  /** Opens beside a daemon that is running, and writes nothing. */
  readonly?: boolean
  [key: string]: unknown
}

export interface StoreLog {
  info(where: string, what: string): void
  warn(where: string, what: string): void
}
