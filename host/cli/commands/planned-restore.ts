// `fleet restore`: plans the restore of an image in rooms or on computers, for a time or at once, after showing what it will do.
import type { PreviewAnswer, RoomPreview } from '../../contract/answers.ts'
import { CliError, usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { foldNames } from '../terminal/folded-names.ts'
import { paint } from '../terminal/terminal.ts'
import { type Column, compareNames, countColumn, formatLocalTime, formatTable, plural } from '../terminal/text-table.ts'
import { selectComputers } from './act-on-computers.ts'
import { confirm, describeLoss, formatContent } from './confirm.ts'
import { thenWords } from './run-options.ts'
import { paddedTime, readDay, splitDay } from './schedule-times.ts'
import { type FlagsOf, subcommand } from './subcommand.ts'
import { scopeOptions, yesOption } from './subcommand-options.ts'

const options = {
  ...scopeOptions,
  '--disk <number>': 'the disk, from 1; default: where the image was made',
  '--partition <number>': 'the partition, from 1; as --disk',
  '--overwrite': 'also where another system than that of the image is lost',
  '--at <hh:mm>': 'start at the next such time of the daemon; also with the day: "sat 22:00"',
  '--on <day>': 'the day of --at: a date such as 2026-11-30, or the next such day: sat',
  '--now': 'start at once',
  '--until <hh:mm>': 'what has not begun by then expires',
  '--batch <count>': 'at most so many computers at once',
  '--then <step>': { text: 'a last step of each computer', choices: ['poweroff', 'session'] },
  '--then-after <which>': {
    text: 'where: only where all succeeded, or in any case; default: success',
    choices: ['success', 'any'],
  },
  '--type <type>': { text: 'how the image comes there', choices: ['UNICAST', 'MULTICAST', 'TORRENT'] },
  '--dry-run': 'only show what it would do',
  '--no-wake': 'do not wake computers that are off',
  '--no-when-idle': 'do not wait where somebody is logged in',
  ...yesOption,
} as const

type Flags = FlagsOf<typeof options>

export const restore = subcommand({
  command: 'restore <image>',
  argument: 'its name, or <name>.v<version> for an older file of it',
  description: 'restore an image in rooms or on computers, at a time or now',
  options,
  async run(context, flags, image) {
    const payload = await toPayload(context, image, flags)
    const { call } = context.connect()
    const { body: preview } = await call('POST /image/plan', { ...payload, dry_run: true })
    context.print(formatPreview(preview, flags, context.width()))
    if (preview.rooms.every(({ computers, refused }) => refused === computers)) {
      const none = 'as things are now, none of the computers would get the image'
      if (flags.now) throw new CliError(`restore: ${none}: nothing is started`)
      // What runs another system, or is in maintenance, may be ready by then.
      context.print(paint('yellow', none))
    }
    for (const { schedule, image, starts, computers } of preview.planned ?? []) {
      const what = `planned already for that night: ${image}, ${formatLocalTime(starts)}: schedule ${schedule}`
      const whom = `for ${plural(computers, 'computer')} of these; what is restored last stays`
      context.print(paint('yellow', `warning: ${what}, ${whom} (fleet schedule delete ${schedule})`))
    }
    const { overwrites, disk, partition, computers, content } = preview
    if (overwrites > 0 && !flags.overwrite)
      throw usageError(
        `restore: expected --overwrite, as ${plural(overwrites, 'computer')} would lose another system; --except leaves some out`,
      )
    if (flags.dryRun) return
    const effect = `Overwrite disk ${disk}, partition ${partition} of ${plural(computers, 'computer')}`
    const describe = async () => `${effect}${describeLoss(content)}`
    await confirm(context, flags.yes, { where: 'restore', needsConsent: true, describe })
    const { body, job } = await call('POST /image/plan', payload)
    if (job === undefined)
      context.print(
        `planned as schedule ${body.schedule}; fleet schedule list shows it, fleet schedule delete ${body.schedule} ` +
          'cancels it; afterwards fleet report shows what became of it',
      )
    else context.print(`job ${job} started; fleet job ${job} --watch follows it, fleet report ${job} sums it up`)
  },
})

/** Keys of absent options are undefined, and so not sent. */
async function toPayload(context: CliContext, image: string, flags: Flags) {
  const {
    room,
    client,
    center,
    where,
    group,
    except,
    now,
    until,
    batch,
    thenAfter,
    whenIdle,
    yes,
    at: _at,
    on: _on,
    dryRun: _dryRun,
    ...others
  } = flags
  const { at: time, on } = splitDay(flags)
  if ((time === undefined) === (now === undefined))
    throw usageError('restore: expected either --at or --now, got both or none of them')
  const at = time === undefined ? undefined : paddedTime('--at', time)
  if (batch !== undefined && !/^[1-9]\d{0,4}$/.test(batch))
    throw usageError(`--batch: expected a number from 1, got ${batch}`)
  return {
    ...others,
    image,
    clients: await selectComputers(context, 'restore', [], { room, client, center, where, group, except }),
    at,
    on: dayOf(on, at),
    until: until && paddedTime('--until', until),
    batch: batch && Number(batch),
    then_after: thenAfter,
    when_idle: whenIdle,
  }
}

function dayOf(on: string | undefined, at: string | undefined): string | undefined {
  if (on === undefined) return undefined
  if (at === undefined) throw usageError('restore: expected --at with --on, got none')
  const day = readDay(on, at)
  if (day === undefined) throw usageError(`--on: expected a date such as 2026-11-30 or a day such as sat, got ${on}`)
  return day
}

const roomColumns: Column<RoomPreview>[] = [
  'center',
  'name as room',
  'computers',
  countColumn('off now', ({ off }) => off),
  countColumn('in use now', row => row.in_use),
  countColumn('refused now', ({ refused }) => refused, 'yellow'),
]

const refusedColumns = (title: string): Column<PreviewAnswer['refused'][number]>[] => [
  'room',
  'name',
  'client',
  { title, value: ({ reason }) => reason, colour: () => 'yellow' },
]

/** A computer has these to power off before it is woken. */
const minutesBefore = 10

function formatPreview(preview: PreviewAnswer, flags: Flags, width: number | undefined): string {
  const { image, repository, starts, until, computers, rooms, refused, disk, partition } = preview
  const system = preview.system === '' ? '' : ` (${preview.system})`
  const where = `to disk ${disk}, partition ${partition} of ${plural(computers, 'computer')}`
  const conditions = [
    flags.now ? 'now' : formatLocalTime(starts),
    until !== undefined && `what has not begun by ${formatLocalTime(until)} expires`,
    flags.batch !== undefined && `at most ${flags.batch} at once`,
    flags.wake && 'computers that are off are woken',
    flags.whenIdle && 'computers in use wait',
    flags.then !== undefined && thenWords(flags.then, flags.thenAfter === 'any' ? 'any' : 'success'),
  ]
  const lines = [
    `restore ${image}${system} from ${repository} ${where}`,
    conditions.filter(Boolean).join('; '),
    '',
    formatTable(rooms, roomColumns, width),
  ]
  if (refused.length > 0)
    lines.push(
      '',
      formatTable(refused, refusedColumns(flags.now ? 'gets nothing' : 'gets nothing if it stays so'), width),
    )
  const running = refused.filter(({ reason }) => reason.startsWith('runs ')).map(({ name, client }) => name || client)
  if (running.length > 0 && flags.wake !== false) {
    const names = `'${foldNames(running.toSorted(compareNames)).replaceAll(', ', ',')}'`
    const before = Date.parse(starts) - minutesBefore * 60_000
    const toMinute = (time: string) => formatLocalTime(time).slice(0, -':00'.length)
    const times = `--at "${toMinute(new Date(before).toISOString())}" --until ${toMinute(starts).slice(-'hh:mm'.length)}`
    const off = before > Date.now() ? `nightly ${names} --then poweroff ${times}` : `poweroff ${names}`
    lines.push(paint('gray', `fleet ${off}: the restore wakes them, and they start as their boot mode says`))
  }
  return [...lines, '', formatContent(preview.content, preview)].join('\n')
}
