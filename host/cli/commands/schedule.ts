// `fleet schedule`: lists, previews, creates and deletes schedules.
import { type Command, Option } from 'commander'
import type { NextTimesAnswer, ScheduleListAnswer, When } from '../../contract/answers.ts'
import type { ApiClient } from '../api/client.ts'
import { findId } from '../api/records.ts'
import { usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { type Column, formatLocalTime, formatTable } from '../terminal/text-table.ts'
import { addRead } from './add-read.ts'
import { confirm, describeRecord } from './confirm.ts'
import { addYesOption } from './shared-options.ts'

interface CreateFlags {
  at: string
  on?: string
  task: string
  name: string
  type: 'task' | 'procedure'
}

export function addSchedule(program: Command, context: CliContext): void {
  const schedule = program.command('schedule').description('list, preview, create and delete schedules')
  addList(schedule, context)
  addNext(schedule, context)
  addCreate(schedule, context)
  addDelete(schedule, context)
}

function addList(schedule: Command, context: CliContext): void {
  addRead(schedule, context, {
    name: 'list',
    description: 'list schedules with the next time they fire',
    read: 'POST /schedule/get',
    async format({ schedule }: ScheduleListAnswer, width) {
      const times = await Promise.all(schedule.map(({ id }) => readNextTimes(context.connect(), id, '1')))
      const rows = schedule.map((row, index) => ({ ...row, next: times[index]?.next[0] }))
      return rows.length === 0 ? 'no schedules' : formatTable(rows, columns, width)
    },
  })
}

function addNext(schedule: Command, context: CliContext): void {
  addRead(schedule, context, {
    name: 'next',
    argument: '<name or id>',
    description: 'preview the next times that a schedule fires',
    options: [new Option('--count <count>', 'at most this many').default('10')],
    async read({ count }: { count: string }, text) {
      const api = context.connect()
      return readNextTimes(api, await findId(api, 'schedule', 'schedule', text), count)
    },
    format: ({ next }) => next.map(formatLocalTime).join('\n') || 'it never fires again',
  })
}

function addCreate(schedule: Command, { connect, print }: CliContext): void {
  schedule
    .command('create')
    .description('schedule a task or procedure, every day or on some days')
    .requiredOption('--task <name or id>', 'the task or procedure')
    .requiredOption('--name <name>', 'the name of the schedule')
    .requiredOption('--at <hh:mm>', 'the local time')
    .option('--on <days>', 'days of the week or of the month, e.g. mon,wed,fri or 1,15')
    .addOption(new Option('--type <type>', 'what --task names').choices(['task', 'procedure']).default('task'))
    .action(async ({ at, on, name, type, task: text }: CreateFlags) => {
      const when = { ...timeMasks(at), ...dayMasks(on) }
      const task = String(await findId(connect(), type, '--task', text))
      const { added } = await connect().call('POST /schedule/create', { task, name, type, when })
      const id = added === undefined ? '' : ` as schedule ${added}`
      print(`${name} is scheduled${id}; fleet schedule list shows its next time`)
    })
}

function addDelete(schedule: Command, context: CliContext): void {
  const { connect, print } = context
  addYesOption(schedule.command('delete').argument('<name or id>'))
    .description('delete a schedule')
    .action(async (text: string, { yes }: { yes?: true }) => {
      const id = String(await findId(connect(), 'schedule', 'schedule', text))
      const describe = async () => `Delete a schedule: ${await describeRecord(connect(), 'schedule', Number(id))}`
      await confirm(context, yes, { where: 'schedule delete', needsConsent: false, describe })
      await connect().call('POST /schedule/delete', { id })
      print(`schedule ${id} is deleted`)
    })
}

async function readNextTimes({ call }: ApiClient, id: number, count: string): Promise<NextTimesAnswer> {
  return (await call<NextTimesAnswer>(`GET /schedule/next?${new URLSearchParams({ id: String(id), count })}`)).body
}

type Row = ScheduleListAnswer['schedule'][number] & { next: string | undefined }

const columns: Column<Row>[] = ['id', 'name', 'task', { title: 'next', value: formatNext }]

function formatNext({ next, suspended }: Row): string {
  if (suspended === 1) return 'suspended'
  return next === undefined ? 'never' : formatLocalTime(next)
}

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
