// The records of procedures, tasks, schedules and jobs. Types only.
//
// Times are milliseconds since 1970, 0 means none.

/**
 * One step of a procedure or task; `params` is the command's payload without `clients`. A procedure or task that a step
 * names exists when the step is stored; later it can be missing only because its center was deleted.
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

/** A procedure with its targets: a scope, addresses, or both; without them, all computers of its center. */
export interface Task extends Procedure {
  scope?: { type: 'center' | 'room' | 'computer'; id: number }
  clients?: string[]
  /** Absent in old data. */
  options?: TaskOptions
}

/** How a task runs; those of the tasks that its steps name have no effect. */
export interface TaskOptions {
  /** Computers that are off are woken. */
  wake?: boolean
  /** A computer where somebody is logged in waits until nobody is. */
  when_idle?: boolean
  /** `06:30`: what has not begun by then, in local time, expires. */
  until?: string
  /** At most so many computers at once. */
  batch?: number
  /** The command of a last step, after those of the task. */
  then?: 'poweroff' | 'session'
  /** Where a computer gets the last step; absent: `any`, whatever became of its steps before. */
  then_after?: 'success' | 'any'
}

/** A command with its clients, which a schedule of type `command` runs. */
export interface ScheduledCommand {
  id: number
  clients: string[]
  command: string
  params: Record<string, unknown>
}

/** When a schedule runs, in local time: `when` of the specification. Other bits are ignored. */
export interface Masks {
  /** Bit 0 is 2010, bit 31 is 2041. The specification's table ends with bit 15, a year that has passed. */
  years: number
  /** Bit 0 is January, bit 11 December. */
  months: number
  /** Bit 0 to 4: the first to fifth week of the month, from Sunday to Saturday. Bit 5: the last week of the month. */
  weeks: number
  /** Bit 0 is Monday, bit 6 Sunday. */
  week_days: number
  /** Bit 0 is the first day of the month, bit 30 the 31st. */
  days: number
  /** Bit 0 to 11: hours since midnight or since noon, depending on `am_pm`. */
  hours: number
  /** Not a mask: 0 before 12:00, 1 from 12:00 on. */
  am_pm: number
  /** Not a mask: the minute of the hour, 0 to 59. */
  minutes: number
}

/** `task` is the id of a task, a procedure or a scheduled command, depending on `type`. It need not exist. */
export interface Schedule extends Masks {
  id: number
  type: 'task' | 'procedure' | 'command'
  task: number
  name: string
  suspended: 0 | 1
  /** Runs that were due up to this time are done or skipped. */
  since: number
  /**
   * Who made it, whose rights it runs with: `admin`, `token:7` or `user:3`, which need not exist any more. `admin` for
   * schedules of earlier versions.
   */
  by: string
  /** Of a planned restore: the ids of the task and the procedure that were made with it. */
  plan?: { task: number; procedure: number }
}

export type PartState = 'queued' | 'sent' | 'success' | 'failure' | 'skipped' | 'expired' | 'cancelled'

/** Under which conditions the queued parts of a job may be sent. */
export interface JobConditions {
  /** Not while somebody is logged in on the client. */
  when_idle?: true
  /** Milliseconds since 1970: what has not been sent by then expires, apart from further steps of clients that have begun. */
  until?: number
  /** So many of its clients have running parts at once. */
  batch?: number
  /** The index of a step that a client gets only where all its steps before have succeeded. */
  after_success?: number
}

/** One accepted request, or one run of a task, procedure or schedule. It has one part per client and step. */
export interface Job {
  id: number
  created: number
  /** The source of the job: a caller's request, what was run, or a retry of an earlier job. */
  origin: 'request' | 'task' | 'procedure' | 'schedule' | 'retry'
  /** The command's name, or the name of the task, procedure or schedule. */
  name: string
  /** The address of the caller who asked for it; absent for schedules, and for jobs of earlier versions. */
  caller?: string
  /** The name of who asked for it; '' for jobs of earlier versions. */
  by: string
  /** The account of who asked for it: `user:3`, `token:7` or `admin`; absent for jobs of earlier versions. */
  account?: string
  /** The command of each step and its accepted payload without `clients`. */
  steps: { command: string; payload: Record<string, unknown> }[]
  /** Absent: its queued parts are sent as soon as their clients can take them. */
  conditions?: JobConditions
}

/** One client with one step of a job. */
export interface Part {
  client: string
  /** Index in the job's steps. */
  step: number
  state: PartState
  /** Why it failed, was skipped or cancelled; '' in other states. */
  reason: string
  queued: number
  sent: number
  ended: number
  /** Seconds that it may wait as the first part of its client's queue. */
  expires: number
  /** The output of its script. */
  output: string
  /** Present when the output was dropped, because newer ones needed its space: `output` is ''. */
  output_dropped?: true
}

/** A part with its index in its job, from 0. */
export type IndexedPart = Part & { index: number }

/** Which parts of a job to read. */
export interface PartPage {
  after?: number
  limit: number
  client?: string
  /** Only the parts of these clients. */
  clients?: readonly string[]
  outputs?: boolean
}

/** Unfinished parts in the order of their jobs and indexes: the first `limit` of those after `after`; default: all. */
export interface UnfinishedPage {
  after?: { job: number; index: number } | undefined
  limit?: number
}

/** What waits in the queue of those jobs that one caller asked for. */
export interface WaitingWork {
  /** That of the jobs, '' for those without one. */
  account: string
  /** Parts in state queued. */
  parts: number
  /** Jobs that have such parts. */
  jobs: number
  /** Characters of the steps of these jobs as JSON, about. */
  characters: number
}

/** How many parts of a job are in each state. */
export type PartCounts = Record<PartState, number>

/** Which jobs to list; one part of the job must match all of `state`, `client` and `clients`. */
export interface JobFilter {
  state?: PartState
  /** A step's command. */
  command?: string
  client?: string
  /** As if jobs had no parts of other clients: these are not counted either. There may be thousands. */
  clients?: readonly string[]
  limit: number
}

/** A change of one part; absent keys stay as they are. */
export interface PartUpdate extends Partial<Pick<Part, 'state' | 'reason' | 'sent' | 'ended' | 'expires' | 'output'>> {
  job: number
  index: number
}

/** Why a procedure or task cannot be stored. `loop`: its steps would lead back to itself. */
export type StepConflict = 'unknown center' | 'name taken' | 'unknown step' | 'loop'
