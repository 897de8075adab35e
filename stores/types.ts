// The records of a store, and the values that its methods take and return. Types only.
import type { Part } from './job-types.ts'
import type { Records } from './records/all-records.ts'
import type { Computer, Partition, Place } from './records/computer.ts'
import type { Image } from './records/image.ts'
import type { Procedure, Task } from './records/procedure.ts'
import type { Schedule } from './records/scheduled-work.ts'

export type * from './job-types.ts'
export type { Account, Role, Token, User } from './records/account.ts'
export type { Center, Group, Repository, Room } from './records/center.ts'
export type { Computer, Partition, Place } from './records/computer.ts'
export type { Image } from './records/image.ts'
export type { Job, JobConditions } from './records/job.ts'
export type { Procedure, Step, Task, TaskOptions } from './records/procedure.ts'
export type { Masks, Schedule, ScheduledCommand } from './records/scheduled-work.ts'

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

export interface NewPlannedRestore {
  procedure: New<Procedure>
  task: Omit<New<Task>, 'steps'>
  /** Absent for one that runs at once. */
  schedule?: Omit<New<Schedule>, 'type' | 'task' | 'plan'> | undefined
}

/** The ids of its records; `schedule` is 0 when it has none. */
export interface PlannedRestore extends NonNullable<Schedule['plan']> {
  schedule: number
}

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
export interface Collections extends Records {
  systems: { id: number; name: string }
  filesystems: { id: number; name: string }
  hardware: { id: number; items: HardwareItem[] }
  software: { id: number } & Software
  /** Under the computer's id. */
  partitions: { id: number; rows: Partition[] }
  /** Under the job's id: some consecutive parts, of which the first has the index `from`. */
  parts: { id: number; from: number; parts: Part[] }
  /** Only the last id: readers remember which ones they have read. */
  events: never
}

/** A collection's row, or the last id that the collection assigned. */
export type Entry = readonly [keyof Collections, Collections[keyof Collections] | number]
