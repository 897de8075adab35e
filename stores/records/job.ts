// Jobs. Times are milliseconds since 1970.
import { partStates } from '../rules/part-states.ts'
import {
  about,
  asText,
  decimal,
  list,
  milliseconds,
  number,
  oneOf,
  optional,
  optionalText,
  orNone,
  plain,
  type RecordOf,
  record,
  reference,
  text,
  withDefault,
} from './record-columns.ts'

const conditions = record({
  /** Not while somebody is logged in on the client. */
  when_idle: optional(plain<true>('boolean')),
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

export const job = record(
  {
    id: number,
    created: milliseconds,
    origin: about(
      "Its source: a caller's request, what was run, or a retry of an earlier job.",
      oneOf(['request', 'task', 'procedure', 'schedule', 'retry', 'pack']),
    ),
    name: about("The command's name, or the name of the task, procedure or schedule.", text),
    caller: about('The address of the caller who asked for it; null for schedules.', optional(text)),
    by: about('The name of who asked for it; null: not known.', withDefault(optionalText, '')),
    account: about(
      'The account of who asked for it: user:3, token:7, pack:notify or admin; null: not known.',
      optional(text),
    ),
    steps: about('The command of each step and its accepted payload without clients.', asText(steps)),
    conditions: about(
      'When its parts may be sent: when_idle, until (milliseconds since 1970), batch, after_success; null: at once.',
      optional(conditions),
    ),
    where: about('The query that found its computers; null: they were listed.', optional(text)),
    schedule: about('The schedule that started it, which may be gone.', optional(reference('schedule'))),
    retry_of: about('The job whose parts it repeats, which may be gone.', optional(number)),
  },
  'Accepted requests, and runs of tasks, procedures and schedules, with one part per client and step.',
)

/** One accepted request, or one run of a task, procedure or schedule. It has one part per client and step. */
export interface Job extends RecordOf<typeof job> {}

export const part = record(
  {
    client: about('Its address.', text),
    step: about("Index in the job's steps.", plain<number>('integer')),
    state: oneOf(partStates),
    reason: about('Why it failed, was skipped or cancelled.', optionalText),
    queued: orNone(milliseconds, 0),
    sent: orNone(milliseconds, 0),
    ended: orNone(milliseconds, 0),
    expires: about("Seconds that it may wait as the first part of its client's queue.", decimal),
    output: about('The output of its script.', optionalText),
    output_dropped: about(
      'True when its output was dropped, because newer ones needed its space.',
      optional(plain<true>('boolean')),
    ),
  },
  'The parts of jobs: a client with a step.',
)

/**
 * One client with one step of a job. `reason` is '' unless it failed, was skipped or cancelled; `expires` are the seconds
 * that it may wait as the first part of its client's queue; with `output_dropped` its output is ''.
 */
export interface Part extends RecordOf<typeof part> {}
