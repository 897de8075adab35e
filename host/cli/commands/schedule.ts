// `fleet schedule`: what fires when.
import { type Command, Option } from 'commander'
import type { Masks, Schedule } from '../../../stores/store.ts'
import type { ApiClient } from '../api/client.ts'
import type { CliContext } from '../context.ts'
import { usageError } from '../terminal/failure.ts'
import { type Column, localTime, table } from '../terminal/table.ts'

type Row = Pick<Schedule, 'id' | 'name' | 'task' | 'suspended'> & Masks
type Next = { next: string[] }

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const all = { years: 0xffff_ffff, months: 0xfff, days: 0x7fff_ffff }

export function addSchedule(program: Command, { connect, print, printJson }: CliContext): void {
  const schedule = program.command('schedule').description('list, preview, create and delete schedules')
  schedule
    .command('list')
    .description('list schedules with their next firing')
    .option('--json', 'print JSON')
    .action(async ({ json }: { json?: true }) => {
      const { body } = await connect().call<{ schedule: Row[] }>('POST /schedule/get')
      if (json) return printJson(body)
      const next = await Promise.all(body.schedule.map(({ id }) => readNext(connect(), id, 1)))
      const rows = body.schedule.map((row, index) => ({ ...row, next: next[index]?.next[0] }))
      print(rows.length === 0 ? 'no schedules' : table(rows, columns))
    })
  schedule
    .command('next')
    .description('preview the next firings of a schedule')
    .argument('<id>')
    .option('--count <count>', 'at most this many', '10')
    .option('--json', 'print JSON')
    .action(async (id: string, { count, json }: { count: string; json?: true }) => {
      const body = await readNext(connect(), id, count)
      if (json) printJson(body)
      else print(body.next.map(localTime).join('\n') || 'it never fires again')
    })
  schedule
    .command('create')
    .description('schedule a task or procedure, every day or on some days')
    .requiredOption('--task <id>', 'the id of the task or procedure')
    .requiredOption('--name <name>', 'what the schedule is called')
    .requiredOption('--at <hh:mm>', 'the local time')
    .option('--on <days>', `days of the week or of the month, e.g. mon,wed,fri or 1,15`)
    .addOption(new Option('--type <type>', 'what --task names').choices(['task', 'procedure']).default('task'))
    .action(async ({ at, on, ...rest }: { at: string; on?: string; task: string; name: string; type: string }) => {
      await connect().call('POST /schedule/create', { ...rest, when: { ...clockOf(at), ...daysOf(on) } })
      print(`${rest.name} is scheduled; fleet schedule list shows when`)
    })
  schedule
    .command('delete')
    .description('delete a schedule')
    .argument('<id>')
    .action(async (id: string) => {
      await connect().call('POST /schedule/delete', { id })
      print(`schedule ${id} is deleted`)
    })
}

async function readNext({ call }: ApiClient, id: number | string, count: number | string): Promise<Next> {
  return (await call<Next>(`GET /schedule/next?${new URLSearchParams({ id: String(id), count: String(count) })}`)).body
}

const columns: Column<Row & { next: string | undefined }>[] = [
  { title: 'id', of: ({ id }) => id, right: true },
  { title: 'name', of: ({ name }) => name },
  { title: 'task', of: ({ task }) => task, right: true },
  { title: 'next', of: ({ next, suspended }) => (suspended === 1 ? 'suspended' : next ? localTime(next) : 'never') },
]

/** As the masks have it: hours since midnight or since noon. */
function clockOf(at: string): Pick<Masks, 'hours' | 'am_pm' | 'minutes'> {
  const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(at) ?? []
  if (hour === undefined) throw usageError(`--at: expected 22:30, got ${at}`)
  return { hours: 1 << (Number(hour) % 12), am_pm: Number(hour) < 12 ? 0 : 1, minutes: Number(minute) }
}

function daysOf(on: string | undefined): Omit<Masks, 'hours' | 'am_pm' | 'minutes'> {
  if (on === undefined) return { ...all, weeks: 0, week_days: 0 }
  const masks = { ...all, days: 0, weeks: 0, week_days: 0 }
  for (const day of on.toLowerCase().split(',')) {
    if (days.includes(day)) masks.week_days |= 1 << days.indexOf(day)
    else if (/^([1-9]|[12]\d|3[01])$/.test(day)) masks.days |= 1 << (Number(day) - 1)
    else throw usageError(`--on: expected ${days.join(', ')} or 1 to 31, got ${day}`)
  }
  return masks
}
