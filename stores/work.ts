// What a store keeps of work that outlives a request: procedures, tasks, schedules, jobs. Types only.
//
// The rules of store.ts hold here too. Times are milliseconds since 1970, 0 for none.
import type { New } from './collections.ts'

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
export interface Errand {
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
export type Numbered = Part & { index: number }

export type Counts = Record<PartState, number>

/** Which jobs to list; a job fits when one of its parts fits `state` and `client`. */
export interface JobFilter {
  state?: PartState
  /** A step's command. */
  command?: string
  client?: string
  limit: number
}

/** A change of one part. */
export interface Mark extends Partial<Pick<Part, 'state' | 'reason' | 'sent' | 'ended' | 'expires' | 'output'>> {
  job: number
  index: number
}

/** Why a procedure or task cannot be kept: `loop`: it would come to itself through its steps. */
export type StepConflict = 'unknown center' | 'name taken' | 'unknown step' | 'loop'

export interface WorkStore {
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
    addErrand(errand: New<Errand>, schedule: Omit<New<Schedule>, 'task'>): Promise<number>
    findErrand(id: number): Promise<Errand | undefined>
    /** False for an unknown id. An errand that no schedule names any more goes. */
    update(schedule: Schedule): Promise<boolean>
    /** Sets `since`; an unknown id is passed over. */
    passed(id: number, since: number): Promise<void>
    /** False for an unknown id. An errand goes with the last schedule that names it. */
    delete(id: number): Promise<boolean>
  }

  /** Must stay small in memory: 10,000 finished jobs of 100 parts each are usual. */
  jobs: {
    /** The new id. */
    add(job: New<Job>, parts: Part[]): Promise<number>
    /** All changes in one step; those of jobs or parts that do not exist are passed over. */
    mark(marks: Mark[]): Promise<void>
    /** Newest first. */
    list(filter: JobFilter): Promise<(Job & { counts: Counts })[]>
    find(id: number): Promise<(Job & { counts: Counts }) | undefined>
    /** In the order of their numbers, from the first after `after`; only one client's when `client` is given. */
    parts(id: number, page: { after?: number; limit: number; client?: string }): Promise<Numbered[]>
    /** The jobs that have parts in state queued or sent, the oldest first, with just these parts. */
    unfinished(): Promise<{ job: Job; parts: Numbered[] }[]>
    /** Deletes finished jobs created before `before`, and the oldest finished ones beyond `keep`: how many went. */
    trim(limits: { before: number; keep: number }): Promise<number>
  }
}
