// `fleet schedule`: lists, previews, creates, changes and deletes schedules.
import type { ScheduleAnswer } from '../../contract/answers.ts'
import type { ApiClient } from '../api/client.ts'
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

type Listed = Awaited<ReturnType<typeof readListed>>[number]

async function readListed({ call }: ApiClient) {
  const { body } = await call('POST /schedule/get')
  const more = new Map((await call('GET /schedules?next=1')).body.schedules.map(row => [row.id, row]))
  return body.schedule.map(row => ({ ...more.get(row.id), ...row }))
}

function formatSchedules(schedules: Listed[], width: number | undefined): string {
  const rows = schedules.map(row => ({
    ...row,
    when: whenWords(row),
    for: row.for && followedWords(row.for),
    next: row.suspended === 1 ? 'suspended' : formatLocalTime(row.next?.[0]) || 'never',
    last: row.last && formatOutcome(row.last),
  }))
  const gone = rows.some(({ missing }) => missing) ? [goneColumn] : []
  return formatTable(rows, ['id', 'name', 'task', 'for', ...kept, ...gone, 'last'], width, 'no schedules')
}

const list = read({
  command: 'list',
  description: 'list schedules with the next time they fire',
  read: async ({ connect }) => ({ schedule: await readListed(connect()) }),
  format: ({ schedule }, { width }) => formatSchedules(schedule, width),
})

const next = read({
  command: 'next [name or id]',
  argument: 'without one, those that fire are listed by their next time',
  description: 'preview the next times that a schedule fires, or which fires next',
  options: { '--count <count>': { text: 'at most this many', default: '10' } },
  async read({ connect }, { count }, text) {
    if (text !== undefined)
      return readNextTimes(connect(), await findId(connect(), 'schedule', 'schedule', text), count)
    const timeOf = ({ next: [time = ''] = [] }: Listed) => time
    const firing = (await readListed(connect())).filter(timeOf)
    return { schedules: firing.sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1)).slice(0, Number(count)) }
  },
  format: (answer, { width }) =>
    'schedules' in answer
      ? formatSchedules(answer.schedules, width)
      : answer.next.map(formatLocalTime).join('\n') || 'it never fires again',
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
