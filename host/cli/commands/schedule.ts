// `fleet schedule`: lists, previews, creates, changes and deletes schedules.
import type { ScheduleAnswer } from '../../contract/answers.ts'
import { findId } from '../api/records.ts'
import { followedWords } from '../terminal/followed-words.ts'
import { formatLocalTime, formatTable } from '../terminal/text-table.ts'
import { deletion, describeRecord } from './confirm.ts'
import { scheduleChanges } from './edit-schedule.ts'
import { formatOutcome } from './night.ts'
import { describeRest } from './nightly-records.ts'
import { daysHelp, readNextTimes, whenOf, whenWords } from './schedule-times.ts'
import { showSchedule } from './show-work.ts'
import { read, subcommand } from './subcommand.ts'

const goneColumn = {
  title: 'gone',
  value: ({ missing = [] }: Pick<ScheduleAnswer, 'missing'>) => missing.join(', '),
  colour: () => 'yellow' as const,
}

const kept = (['when', 'next'] as const).map(title => ({
  title,
  value: (row: Record<typeof title, string>) => row[title],
  isKept: true as const,
}))

const list = read({
  command: 'list',
  description: 'list schedules with the next time they fire',
  async read({ connect }) {
    const { call } = connect()
    const { body } = await call('POST /schedule/get')
    const more = new Map((await call('GET /schedules')).body.schedules.map(row => [row.id, row]))
    return { schedule: body.schedule.map(row => ({ ...more.get(row.id), ...row })) }
  },
  async format({ schedule }, { context, width }) {
    const times = await Promise.all(schedule.map(({ id }) => readNextTimes(context.connect(), id, '1')))
    const rows = schedule.map((row, index) => {
      const next = times[index]?.next[0]
      const words = row.suspended === 1 ? 'suspended' : next === undefined ? 'never' : formatLocalTime(next)
      const when = whenWords(row)
      return {
        ...row,
        when,
        for: row.for && followedWords(row.for),
        next: words,
        last: row.last && formatOutcome(row.last),
      }
    })
    const gone = rows.some(({ missing }) => missing) ? [goneColumn] : []
    return formatTable(rows, ['id', 'name', 'task', 'for', ...kept, ...gone, 'last'], width, 'no schedules')
  },
})

const next = read({
  command: 'next <name or id>',
  description: 'preview the next times that a schedule fires',
  options: { '--count <count>': { text: 'at most this many', default: '10' } },
  async read({ connect }, { count }, text) {
    return readNextTimes(connect(), await findId(connect(), 'schedule', 'schedule', text), count)
  },
  format: ({ next }) => next.map(formatLocalTime).join('\n') || 'it never fires again',
})

const create = subcommand({
  command: 'add',
  alias: 'create',
  description: 'schedule a task or procedure, every day or on some days',
  options: {
    '--task <name or id>': { text: 'the task or procedure', required: true },
    '--name <name>': { text: 'the name of the schedule', required: true },
    '--at <hh:mm>': { text: 'the local time', required: true },
    '--on <days>': daysHelp,
    '--type <type>': { text: 'what --task names', choices: ['task', 'procedure'], default: 'task' },
  },
  async run({ connect, print }, { at, on, name, type, task: text }) {
    const when = whenOf(at, on)
    const task = String(await findId(connect(), type, '--task', text))
    const { added } = await connect().call('POST /schedule/create', { task, name, type, when })
    const id = added === undefined ? '' : ` as schedule ${added}`
    print(`${name} is scheduled ${whenWords(when)}${id}; fleet schedule list shows its next time`)
  },
})

export const schedule = subcommand({
  command: 'schedule',
  description: 'list, show, preview, add, change and delete schedules',
  children: [
    list,
    showSchedule,
    next,
    create,
    ...scheduleChanges,
    deletion('schedule', { describe: describeRecord, describeRest }),
  ],
})
