// Schedules and scheduled commands. Times are milliseconds since 1970.
import { json, list, number, optional, plain, type RecordOf, record, text, withDefault } from './record-columns.ts'

export const scheduledCommand = record({
  id: number,
  clients: list(text),
  command: text,
  params: json<Record<string, unknown>>(),
})

/** A command with its clients, which a schedule of type `command` runs. */
export interface ScheduledCommand extends RecordOf<typeof scheduledCommand> {}

const masks = record({
  /** Bit 0 is 2010, bit 31 is 2041. The specification's table ends with bit 15, a year that has passed. */
  years: number,
  /** Bit 0 is January, bit 11 December. */
  months: number,
  /** Bit 0 to 4: the first to fifth week of the month, from Sunday to Saturday. Bit 5: the last week of the month. */
  weeks: number,
  /** Bit 0 is Monday, bit 6 Sunday. */
  week_days: number,
  /** Bit 0 is the first day of the month, bit 30 the 31st. */
  days: number,
  /** Bit 0 to 11: hours since midnight or since noon, depending on `am_pm`. */
  hours: number,
  /** Not a mask: 0 before 12:00, 1 from 12:00 on. */
  am_pm: number,
  /** Not a mask: the minute of the hour, 0 to 59. */
  minutes: number,
})

/** When a schedule runs, in local time: `when` of the specification. Other bits are ignored. */
export interface Masks extends RecordOf<typeof masks> {}

export const schedule = record({
  id: number,
  type: plain<'task' | 'procedure' | 'command'>(),
  task: number,
  name: text,
  suspended: plain<0 | 1>('smallint'),
  /** Runs that were due up to this time are done or skipped. */
  since: number,
  ...masks.columns,
  /** Who made it, whose rights it runs with: `admin`, `token:7` or `user:3`, which need not exist any more. */
  by: withDefault(text, 'admin'),
  /** Of a planned restore: the ids of the task and the procedure that were made with it. */
  plan: optional(record({ task: number, procedure: number })),
})

/** `task` is the id of a task, a procedure or a scheduled command, depending on `type`. It need not exist. */
export interface Schedule extends RecordOf<typeof schedule> {}
