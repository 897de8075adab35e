// What a store is: the daemon's records behind domain words that any engine can answer, types only.
//
// Each method is one atomic step: all of it happens or nothing. A mutation resolves when its data is on disk.
// Reads resolve to copies that the reader may change. An outcome that a caller can provoke is a value;
// a rejected promise means that the engine itself failed (disk full, server gone), and nothing has changed then.
// Ids are positive integers and never used again, also after a delete and a restart; 0 means "none".

import type { Errand, Job, Part, Procedure, Schedule, Task, WorkStore } from './work.ts'

export type * from './work.ts'

export interface Center {
  id: number
  name: string
  comment: string
}

export interface Room {
  id: number
  center: number
  name: string
  netmask: string
  location: string
  gateway: string
  ntp: string
  dns: string
  group: number
  remote: boolean
}

/** Repository 1 exists from the start; its empty `ip` stands for the daemon's own address. */
export interface Repository {
  id: number
  name: string
  ip: string
}

/** A managed computer. `ip` is unique; `mac` is 12 hex digits; `hardware_id` names a hardware profile, 0 none. */
export interface Computer {
  id: number
  name: string
  ip: string
  mac: string
  room: number
  netmask: string
  boot: string
  remote: boolean
  serial_number: string
  hardware_id: number
  repo_id: number
  netiface: string
  netdriver: string
  livedir: string
  maintenance: boolean
}

/** A row of a computer's disks; partition 0 is the disk itself. `size` in KiB, `used_size` in percent. */
export interface Partition {
  disk: number
  partition: number
  code: number
  size: number
  used_size: number
  filesystem: number
  os: number
  image: number
  software: number
}

export interface HardwareItem {
  type: string
  description: string
}

/** What is installed on a partition: the operating system's name and one line a program. */
export interface Software {
  os: string
  programs: string[]
}

/** `datasize` in bytes; `name` is unique and the file's name without `.img`. */
export interface Image {
  id: number
  name: string
  description: string
  repo_id: number
  type: number
  datasize: number
  software_id: number
  group_id: number
  center_id: number
  clonator: string
  compressor: string
  filesystem: string
}

export type ScopeNode =
  | { name: string; type: 'center' | 'room'; id: number; scope: ScopeNode[] }
  | { name: string; type: 'computer'; id: number; scope: []; ip: string }

/** A row as it is given to the store, which chooses the id. */
export type New<Row> = Omit<Row, 'id'>

/** Why the `index`th of the given computers cannot be added. */
export interface Conflict {
  index: number
  reason: 'address taken' | 'unknown room' | 'unknown repository'
}

export interface Report {
  /** All rows of the computer; `os` by its name, '' none; a repeated disk and partition: the last one counts. */
  rows: (Omit<Partition, 'os' | 'image' | 'software'> & { os: string })[]
  /** Kept only while the computer has none. */
  serial_number: string
}

/** What an agent tells of an image that it has made of one of its partitions. */
export interface Made extends Pick<Image, 'id' | 'datasize' | 'clonator' | 'compressor' | 'filesystem'> {
  disk: number
  partition: number
  software: Software
}

/** The collections of a dump. A list that computers share is there once, under its id. */
export interface Collections {
  centers: Center
  rooms: Room
  repositories: Repository
  systems: { id: number; name: string }
  filesystems: { id: number; name: string }
  hardware: { id: number; items: HardwareItem[] }
  software: { id: number } & Software
  images: Image
  computers: Computer
  /** Under the computer's id. */
  partitions: { id: number; rows: Partition[] }
  procedures: Procedure
  tasks: Task
  errands: Errand
  schedules: Schedule
  jobs: Job
  /** Under the job's id, some of its parts in order, of which the first has the number `from`. */
  parts: { id: number; from: number; parts: Part[] }
}

/** A collection's row, or the last id that it gave. Procedures and tasks may name each other in any order. */
export type Entry = readonly [keyof Collections, Collections[keyof Collections] | number]

export interface Store extends WorkStore {
  /** The whole tree; each level in the order of the ids. */
  scopes(): Promise<ScopeNode[]>

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
    find(ip: string): Promise<(Computer & { center: number }) | undefined>
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
    hardware(ip: string): Promise<HardwareItem[]>
    /** The programs of one partition. */
    software(ip: string, disk: number, partition: number): Promise<string[]>
    /**
     * Replaces the computer's rows. A row whose size, filesystem and os are unchanged keeps its image and software;
     * any other has 0 in both.
     */
    refresh(ip: string, report: Report): Promise<boolean>
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
    made(ip: string, made: Made): Promise<boolean>
    /** The partition gets the image, its software and its operating system. An unknown image leaves it as it was. */
    restored(ip: string, disk: number, partition: number, image: number): Promise<boolean>
  }

  /** The ids of filesystem names beyond the fixed table, 1, 2, … in the order in which they were first asked for. */
  filesystems(names: string[]): Promise<number[]>

  /** All of it, for backups and for moving to another adapter. */
  whole: {
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
export interface Upkeep {
  check(options: StoreOptions): Promise<Finding[]>
  repair(options: StoreOptions): Promise<Finding[]>
}

export interface Finding {
  good: boolean
  /** One line. */
  what: string
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
