// The records that a store keeps, and what it is given and gives back of them. Types only.
import type { Errand, Job, Part, Procedure, Schedule, Task } from './work.ts'

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
  | { name: string; type: 'center' | 'room'; id: number; scope: readonly ScopeNode[] }
  | { name: string; type: 'computer'; id: number; scope: readonly []; ip: string }

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
