// The rows of the tables: records of the store's interface, and lists that computers share.
import type { RecordRows } from '../../records/all-records.ts'
import type { storedEvent } from '../../records/module.ts'
import type { RowOf } from '../../records/record-columns.ts'
import type { Part, Partition } from '../../store.ts'

export interface Row {
  readonly id: number
}

/** A computer's partitions under the computer's id, ordered by disk, then partition. */
export interface Partitions extends Row {
  readonly rows: readonly Partition[]
}

/**
 * A list that many computers share: the ids of its strings, in order, as decimal numbers with a space between.
 * One flat text is a tenth of an array's memory, is its own key for finding an equal list, and parses faster.
 */
export interface Profile extends Row {
  readonly list: string
}

interface NamedRow extends Row {
  readonly name: string
}

/** A part as the tables contain it: a long output is a reference to it. */
export type StoredPart = Readonly<Omit<Part, 'output' | 'output_dropped'> & { output: string | number }>

/** A part of a job in a row of its own. */
export type PartRow = StoredPart & Row

/** Consecutive parts of a job in one row, whose id is that of the first part. */
export interface PartChunk extends Row {
  /** One digit per part. */
  readonly states: string
  /** JSON of runs of equal values; separate texts, as one character beyond Latin-1 doubles the memory of a text. */
  readonly clients: string
  readonly numbers: string
  readonly texts: string
  /** References to outputs, 0 for none; absent when no part has one. */
  readonly outputs?: string
}

/** Events that were deleted before all had read them: up to which one, and their times. */
interface Loss extends Row {
  readonly event: number
  readonly since: number
  readonly until: number
}

/** The keys are the names of the tables in the files on disk. */
export interface Rows extends RecordRows {
  partitions: Partitions
  /** Type and description of each item, alternating. */
  hardware: Profile
  /** The operating system's name, then the programs. */
  software: Profile
  strings: NamedRow
  /** Names of operating systems. */
  systems: NamedRow
  filesystems: NamedRow
  parts: PartRow | PartChunk
  events: RowOf<typeof storedEvent>
  losses: Loss
}

export type TableName = keyof Rows

/** A row that was put (the row itself), or deleted (its id). */
export type Change = readonly [TableName, Row | number]
