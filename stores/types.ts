// The records of a store, and the values that its methods take and return. Types only.
//
// Times are milliseconds since 1970, 0 for none.

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

export interface DiskReport {
  /** All rows of the computer; `os` by its name, '' none; a repeated disk and partition: the last one counts. */
  rows: (Omit<Partition, 'os' | 'image' | 'software'> & { os: string })[]
  /** Kept only while the computer has none. */
  serial_number: string
}

/** What an agent tells of an image that it has made of one of its partitions. */
export interface CreatedImage extends Pick<Image, 'id' | 'datasize' | 'clonator' | 'compressor' | 'filesystem'> {
  disk: number
  partition: number
  software: Software
}

/**
 * One step of a procedure or task; `params` is the command's payload without `clients`. What a step names exists when
 * it is stored, and is missing later only if it went with its center.
 */
export type Step = { command: string; params: Record<string, unknown> } | { procedure: number } | { task: number }

/** `name` is unique within its center. */
export interface Procedure {
  id: number
  center: number
  name: string
  description: string
  steps: Step[]
}

/** A procedure with whom it is for: a part of the tree or addresses; neither means its whole center. */
export interface Task extends Procedure {
  scope?: { type: 'center' | 'room' | 'computer'; id: number }
  clients?: string[]
}

/** A command with its clients that was stored to be scheduled. */
export interface ScheduledCommand {
  id: number
  clients: string[]
  command: string
  params: Record<string, unknown>
}

/** When a schedule fires, in local time: `when` of the specification. Further bits mean nothing. */
export interface Masks {
  /** Bit 0 is 2010, bit 31 is 2041. The specification's table ends with bit 15, a year that has passed. */
  years: number
  /** Bit 0 is January, bit 11 December. */
  months: number
  /** Bit 0 to 4: the first to fifth week of the month, from Sunday to Saturday. Bit 5: the last, whichever that is. */
  weeks: number
  /** Bit 0 is Monday, bit 6 Sunday. */
  week_days: number
  /** Bit 0 is the first day of the month, bit 30 the 31st. */
  days: number
  /** Bit 0 to 11: hours since midnight or since noon, as `am_pm` says. */
  hours: number
  /** No mask: 0 before 12:00, 1 from 12:00. */
  am_pm: number
  /** No mask: the minute of the hour, 0 to 59. */
  minutes: number
}

/** `task` is the id of what `type` names, which need not exist: a task, a procedure, or an errand. */
export interface Schedule extends Masks {
  id: number
  type: 'task' | 'procedure' | 'command'
  task: number
  name: string
  suspended: 0 | 1
  /** What should have fired until then has fired, or is past. */
  since: number
}

export type PartState = 'queued' | 'sent' | 'success' | 'failure' | 'skipped' | 'expired' | 'cancelled'

/** One accepted piece of work. Its parts are one per client and step, and are numbered from 0. */
export interface Job {
  id: number
  created: number
  /** What asked for it: a caller's request, or what was run. */
  origin: 'request' | 'task' | 'procedure' | 'schedule' | 'retry'
  /** The command's name, or the name of the task, procedure or schedule. */
  name: string
  /** The command of each step and its accepted payload without `clients`. */
  steps: { command: string; payload: Record<string, unknown> }[]
}

export interface Part {
  client: string
  /** Index in the job's steps. */
  step: number
  state: PartState
  /** Why it failed, was skipped or cancelled; '' elsewhere. */
  reason: string
  queued: number
  sent: number
  ended: number
  /** Seconds that it may wait as the first of its client's queue. */
  expires: number
  /** What its script printed. */
  output: string
}

/** A part with its number in its job. */
export type IndexedPart = Part & { index: number }

export type PartCounts = Record<PartState, number>

/** Which jobs to list; a job fits when one of its parts fits `state` and `client`. */
export interface JobFilter {
  state?: PartState
  /** A step's command. */
  command?: string
  client?: string
  limit: number
}

/** A change of one part. */
export interface PartUpdate extends Partial<Pick<Part, 'state' | 'reason' | 'sent' | 'ended' | 'expires' | 'output'>> {
  job: number
  index: number
}

/** Why a procedure or task cannot be kept: `loop`: it would come to itself through its steps. */
export type StepConflict = 'unknown center' | 'name taken' | 'unknown step' | 'loop'

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
  errands: ScheduledCommand
  schedules: Schedule
  jobs: Job
  /** Under the job's id, some of its parts in order, of which the first has the number `from`. */
  parts: { id: number; from: number; parts: Part[] }
}

/** A collection's row, or the last id that it gave. Procedures and tasks may name each other in any order. */
export type Entry = readonly [keyof Collections, Collections[keyof Collections] | number]
