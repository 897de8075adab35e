// Schedules and scheduled commands. Times are milliseconds since 1970.
import {
  about,
  json,
  list,
  milliseconds,
  number,
  oneOf,
  optional,
  type RecordOf,
  record,
  reference,
  text,
  withDefault,
} from './record-columns.ts'

/** Computers that are found when it runs, each time anew. */
export const targets = {
  where: about('The query that finds the computers that it is for, besides other targets.', optional(text)),
  group: about('The group of computers that it is for, besides other targets.', optional(reference('group'))),
}

export const scheduledCommand = record(
  {
    id: number,
    clients: about('The addresses that it is for.', list(text)),
    command: text,
    params: json<Record<string, unknown>>(),
    ...targets,
  },
  'Commands with their clients, which schedules of type command run.',
)

/** A command with its clients, which a schedule of type `command` runs. */
export interface ScheduledCommand extends RecordOf<typeof scheduledCommand> {}

export const masks = record({
  // The specification's table ends with bit 15, a year that has passed.
  years: about('Bit 0 is 2010, bit 31 is 2041.', number),
  months: about('Bit 0 is January, bit 11 December.', number),
  weeks: about(
    'Bit 0 to 4: the first to fifth week of the month, from Sunday to Saturday. Bit 5: the last week of the month.',
    number,
  ),
  week_days: about('Bit 0 is Monday, bit 6 Sunday.', number),
  days: about('Bit 0 is the first day of the month, bit 30 the 31st.', number),
  hours: about('Bit 0 to 11: hours since midnight or since noon, depending on am_pm.', number),
  am_pm: about('No mask: 0 before 12:00, 1 from 12:00 on.', number),
  minutes: about('No mask: the minute of the hour, 0 to 59.', number),
})

/** When a schedule runs, in local time: `when` of the specification. Other bits are ignored. */
export interface Masks extends RecordOf<typeof masks> {}

const plan = record({ task: reference('task'), procedure: reference('procedure') })

export const schedule = record(
  {
    id: number,
    type: oneOf(['task', 'procedure', 'command']),
    task: about('The id of the task, procedure or scheduled command that it runs, which need not exist.', number),
    name: text,
    suspended: oneOf([0, 1], 'smallint'),
    since: about('Runs that were due up to this time are done or skipped.', milliseconds),
    ...masks.columns,
    by: about(
      'Who made it, whose rights it runs with: admin, token:7 or user:3, which need not exist any more.',
      withDefault(text, 'admin'),
    ),
    plan: about(
      'The ids of the task and the procedure that were made with it, and are deleted with it.',
      optional(plan),
    ),
  },
  'When a task, procedure or command runs.',
)

/** `task` is the id of a task, a procedure or a scheduled command, depending on `type`. It need not exist. */
export interface Schedule extends RecordOf<typeof schedule> {}
