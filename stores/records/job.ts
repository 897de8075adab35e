// Jobs. Times are milliseconds since 1970.
import { asText, list, number, optional, plain, type RecordOf, record, text, withDefault } from './record-columns.ts'

const conditions = record({
  /** Not while somebody is logged in on the client. */
  when_idle: optional(plain<true>()),
  /** What has not been sent by then expires, apart from further steps of clients that have begun. */
  until: optional(number),
  /** So many of its clients have running parts at once. */
  batch: optional(number),
  /** The index of a step that a client gets only where all its steps before have succeeded. */
  after_success: optional(number),
})

/** Under which conditions the queued parts of a job may be sent. */
export interface JobConditions extends RecordOf<typeof conditions> {}

const steps = list(record({ command: text, payload: plain<Record<string, unknown>>() }))

export const job = record({
  id: number,
  created: number,
  /** The source of the job: a caller's request, what was run, or a retry of an earlier job. */
  origin: plain<'request' | 'task' | 'procedure' | 'schedule' | 'retry'>(),
  /** The command's name, or the name of the task, procedure or schedule. */
  name: text,
  /** The address of the caller who asked for it; absent for schedules. */
  caller: optional(text),
  /** The name of who asked for it; '' when it is not known. */
  by: withDefault(text, ''),
  /** The account of who asked for it: `user:3`, `token:7` or `admin`; absent when it is not known. */
  account: optional(text),
  /** The command of each step and its accepted payload without `clients`. */
  steps: asText(steps),
  /** Absent: its queued parts are sent as soon as their clients can take them. */
  conditions: optional(conditions),
  /** The id of the schedule that started it. */
  schedule: optional(number),
})

/** One accepted request, or one run of a task, procedure or schedule. It has one part per client and step. */
export interface Job extends RecordOf<typeof job> {}
