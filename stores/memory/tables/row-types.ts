// The rows of the tables: records of the store's interface, and lists that computers share.
import type {
  Center,
  Computer,
  Image,
  Job,
  Part,
  Partition,
  Procedure,
  Repository,
  Room,
  Schedule,
  ScheduledCommand,
  Task,
  Token,
  User,
} from '../../store.ts'

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

export interface NamedRow extends Row {
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

/** A row whose `Key` may be absent, as in files of earlier versions. */
type Optional<Value, Key extends keyof Value> = Omit<Value, Key> & Partial<Pick<Value, Key>>

/** The keys are the names of the tables in the files on disk. */
export interface Rows {
  centers: Readonly<Center>
  rooms: Readonly<Room>
  repositories: Readonly<Repository>
  computers: Readonly<Computer>
  partitions: Partitions
  images: Readonly<Image>
  /** Type and description of each item, alternating. */
  hardware: Profile
  /** The operating system's name, then the programs. */
  software: Profile
  strings: NamedRow
  /** Names of operating systems. */
  systems: NamedRow
  filesystems: NamedRow
  procedures: Readonly<Procedure>
  tasks: Readonly<Task>
  /** Scheduled commands: the name is part of the stored format. */
  errands: Readonly<ScheduledCommand>
  /** Without `by` for the default: see `schedules.ts`. */
  schedules: Readonly<Optional<Schedule, 'by'>>
  /** The steps as JSON; without `by` for ''. */
  jobs: Readonly<Omit<Optional<Job, 'by'>, 'steps'> & { steps: string }>
  parts: PartRow | PartChunk
  tokens: Readonly<Token>
  users: Readonly<User>
}

export type TableName = keyof Rows

/** A row that was put (the row itself), or deleted (its id). */
export type Change = readonly [TableName, Row | number]
