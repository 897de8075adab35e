// `fleet schedule`: lists, previews, creates and deletes schedules.
import type { When } from '../../contract/answers.ts'
import type { ApiClient } from '../api/client.ts'
import { findId } from '../api/records.ts'
import { usageError } from '../cli-error.ts'
import { followedWords } from '../terminal/followed-words.ts'
import { formatLocalTime, formatTable } from '../terminal/text-table.ts'
import { deletion, describeRecord } from './confirm.ts'
import { formatOutcome } from './night.ts'
import { read, subcommand } from './subcommand.ts'

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
      return { ...row, for: row.for && followedWords(row.for), next: words, last: row.last && formatOutcome(row.last) }
    })
    return formatTable(rows, ['id', 'name', 'task', 'for', 'next', 'last'], width, 'no schedules')
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

export async function readNextTimes({ call }: ApiClient, id: number, count: string) {
  return (await call(`GET /schedule/next?${new URLSearchParams({ id: String(id), count })}`)).body
}

const create = subcommand({
  command: 'add',
  alias: 'create',
  description: 'schedule a task or procedure, every day or on some days',
  options: {
    '--task <name or id>': { text: 'the task or procedure', required: true },
    '--name <name>': { text: 'the name of the schedule', required: true },
    '--at <hh:mm>': { text: 'the local time', required: true },
    '--on <days>': 'days of the week or of the month, e.g. mon,wed,fri or 1,15',
    '--type <type>': { text: 'what --task names', choices: ['task', 'procedure'], default: 'task' },
  },
  async run({ connect, print }, { at, on, name, type, task: text }) {
    const when = whenOf(at, on)
    const task = String(await findId(connect(), type, '--task', text))
    const { added } = await connect().call('POST /schedule/create', { task, name, type, when })
    const id = added === undefined ? '' : ` as schedule ${added}`
    print(`${name} is scheduled${id}; fleet schedule list shows its next time`)
  },
})

export const schedule = subcommand({
  command: 'schedule',
  description: 'list, preview, add and delete schedules',
  children: [list, next, create, deletion('schedule', describeRecord)],
})

/** The masks of a time of day, and of days: without `on` of every day. */
export const whenOf = (at: string, on: string | undefined): When => ({ ...timeMasks(at), ...dayMasks(on) })

/** `hours` has a bit for each hour since midnight, or since noon with `am_pm` 1. */
function timeMasks(at: string): Pick<When, 'hours' | 'am_pm' | 'minutes'> {
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(at) ?? []
  if (hour === undefined) throw usageError(`--at: expected a time such as 22:30, got ${at}`)
  return { hours: 1 << (Number(hour) % 12), am_pm: Number(hour) < 12 ? 0 : 1, minutes: Number(minute) }
}

const weekDays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const everyYear = 0xffff_ffff
const everyMonth = 0xfff
const everyDay = 0x7fff_ffff

/** Without `on` every day. */
function dayMasks(on: string | undefined): Omit<When, 'hours' | 'am_pm' | 'minutes'> {
  const masks = { years: everyYear, months: everyMonth, days: 0, weeks: 0, week_days: 0 }
  if (on === undefined) return { ...masks, days: everyDay }
  for (const day of on.toLowerCase().split(',')) {
    if (weekDays.includes(day)) masks.week_days |= 1 << weekDays.indexOf(day)
    else if (/^([1-9]|[12]\d|3[01])$/.test(day)) masks.days |= 1 << (Number(day) - 1)
    else throw usageError(`--on: expected ${weekDays.join(', ')} or 1 to 31, got ${day}`)
  }
  return masks
}
