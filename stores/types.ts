// The records of a store, and the values that its methods take and return. Types only.
import type { Token, User } from './access-types.ts'
import type { Job, Part, Procedure, Schedule, ScheduledCommand, Task } from './job-types.ts'

export type * from './access-types.ts'
export type * from './job-types.ts'

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

/** Repository 1 always exists; its empty `ip` stands for the daemon's own address. */
export interface Repository {
  id: number
  name: string
  ip: string
  /** How many images may be copied from or to it at once; absent: any number. */
  slots?: number
}

/** A seat on the map of a room: its row and column, 1 to 99. Computers may share one. */
export interface Place {
  row: number
  column: number
}

/** A managed computer. `ip` is unique; `mac` is 12 hex digits; `hardware_id` is a hardware profile, 0 means none. */
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
  /** Absent when it has none. */
  place?: Place
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
  /** The version of the image, and when it came there in epoch milliseconds; absent when they are not known. */
  image_version?: number
  image_since?: number
}

export interface HardwareItem {
  type: string
  description: string
}

/** The software of a partition: the name of the operating system, and one line per program. */
export interface Software {
  os: string
  programs: string[]
}

/** What an image has, and how many computers have a partition of it. */
export interface ImageUse {
  id: number
  system: string
  computers: number
}

/** A partition that has an image; `version` and `since` are 0 when they are not known. */
export interface ImageCopy {
  image: number
  version: number
  since: number
  ip: string
  disk: number
  partition: number
}

/** `datasize` in bytes; `name` is unique, and is the file's name without `.img`. */
export interface Image {
  id: number
  name: string
  description: string
  repo_id: number
  type: number
  datasize: number
  software_id: number
  group_id: number
  /** It belongs to this center; 0: to a room or to all. */
  center_id: number
  /** It belongs to this room; absent: to its center or to all. */
  room_id?: number
  clonator: string
  compressor: string
  filesystem: string
  /** How often it was created; absent: not known. */
  version?: number
  /** The numbers of the disk and partition that it was made of; absent: not known. */
  disk?: number
  partition?: number
}

export type ScopeNode =
  | { name: string; type: 'center' | 'room'; id: number; scope: readonly ScopeNode[] }
  | { name: string; type: 'computer'; id: number; scope: readonly []; ip: string }

/** A row to be added: the store assigns the id. */
export type New<Row> = Omit<Row, 'id'>

/**
 * Frozen at every depth. Consoles read these values very often: an adapter should return the same object until something
 * in it changes, so that its JSON is generated only once.
 */
export type Frozen<Value> = Value extends object ? { readonly [Key in keyof Value]: Frozen<Value[Key]> } : Value

/** New values of a computer's record: undefined ones change nothing, and null removes the place. */
export interface ComputerValues extends Partial<Omit<New<Computer>, 'place'>> {
  place?: Place | null
}

export interface ComputerChange extends ComputerValues {
  id: number
}

/** Why the computer at `index` of a list cannot be added or changed. */
export interface Conflict {
  index: number
  reason: 'address taken' | 'unknown room' | 'unknown repository' | 'unknown computer' | 'repeated computer'
}

export interface DiskReport {
  /**
   * All rows of the computer. `filesystem` and `os` are names, '' means none. Of rows for the same partition the last one
   * is stored.
   */
  rows: (Omit<Partition, 'filesystem' | 'os' | 'image' | 'software'> & { filesystem: string; os: string })[]
  /** Stored only if the computer has none yet. */
  serial_number: string
}

/** The agent's report about an image that it created from one of its partitions. */
export interface CreatedImage extends Pick<Image, 'id' | 'datasize' | 'clonator' | 'compressor' | 'filesystem'> {
  disk: number
  partition: number
  software: Software
  /** The image's new version, and the time in epoch milliseconds; 0 when they are not known. */
  version: number
  at: number
}

/** An image that an agent has written to a partition; `version` and `at` as above. */
export interface RestoredImage extends Pick<CreatedImage, 'id' | 'disk' | 'partition' | 'version' | 'at'> {}

/** May change while the store is open. */
export interface StoreLimits {
  /** Bytes that the outputs of all parts may take; the oldest ones are dropped first. */
  outputs_bytes: number
}

/** The collections of a dump. A list that several computers share occurs once, under its id. */
export interface Collections {
  centers: Center
  rooms: Room
  tokens: Token
  users: User
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
  /** Scheduled commands: the name is part of the formats of stores and backups. */
  errands: ScheduledCommand
  schedules: Schedule
  jobs: Job
  /** Under the job's id: some consecutive parts, of which the first has the index `from`. */
  parts: { id: number; from: number; parts: Part[] }
}

/** A collection's row, or the last id that the collection assigned. */
export type Entry = readonly [keyof Collections, Collections[keyof Collections] | number]
