// The rows behind the store's domain words: the interface's own records, and what computers share.
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

export interface Named extends Row {
  readonly name: string
}

/** A part of a job in a row of its own. */
export type OwnPart = Readonly<Part> & Row

/** Parts of a job that follow each other; the id is the first one's. */
export interface Pack extends Row {
  /** A digit for each. */
  readonly states: string
  /** JSON of runs of equal values; separate, as one letter beyond Latin-1 doubles the memory of a text. */
  readonly clients: string
  readonly numbers: string
  readonly texts: string
}

export interface Rows {
  centers: Readonly<Center>
  rooms: Readonly<Room>
  repositories: Readonly<Repository>
  computers: Readonly<Computer>
  partitions: Partitions
  images: Readonly<Image>
  /** Type and description of each item in turn. */
  hardware: Profile
  /** The operating system's name, then the programs. */
  software: Profile
  strings: Named
  systems: Named
  filesystems: Named
  procedures: Readonly<Procedure>
  tasks: Readonly<Task>
  errands: Readonly<ScheduledCommand>
  schedules: Readonly<Schedule>
  /** The steps as JSON. */
  jobs: Readonly<Omit<Job, 'steps'> & { steps: string }>
  parts: OwnPart | Pack
}

export type TableName = keyof Rows

/** A row put (as it is), or deleted (its id). */
export type Change = readonly [TableName, Row | number]

/** Gives each id of a profile's list to `visit`. Spelt out, as a start does it for millions of ids. */
export function unpack(list: string, visit: (id: number) => void): void {
  let id = 0
  for (let at = 0; at < list.length; at += 1) {
    const code = list.charCodeAt(at)
    if (code === space) {
      visit(id)
      id = 0
    } else id = id * 10 + code - zero
  }
  if (list !== '') visit(id)
}

const [space, zero] = [' '.charCodeAt(0), '0'.charCodeAt(0)]
