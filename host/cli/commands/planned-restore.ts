// `fleet restore`: plans the restore of an image in rooms, for a time or at once, after showing what it will do.
import type { PreviewAnswer, RoomPreview } from '../../contract/answers.ts'
import { findRecord, readScopes } from '../api/records.ts'
import { usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { type Column, countColumn, formatLocalTime, formatTable, plural } from '../terminal/text-table.ts'
import { confirm, describeLoss, formatContent } from './confirm.ts'
import { type FlagsOf, subcommand } from './subcommand.ts'
import { yesOption } from './subcommand-options.ts'

const options = {
  '--room <name or id...>': { text: 'the rooms, also with commas between them', required: true },
  '--disk <number>': 'the disk, from 1; default: where the image was made',
  '--partition <number>': 'the partition, from 1; as --disk',
  '--overwrite': 'also where another system than that of the image is lost',
  '--at <hh:mm>': 'start at the next such time of the daemon',
  '--now': 'start at once',
  '--until <hh:mm>': 'what has not begun by then expires',
  '--batch <count>': 'at most so many computers at once',
  '--then <step>': { text: 'a last step of each computer', choices: ['poweroff', 'session'] },
  '--then-after <which>': { text: 'where; default: success', choices: ['success', 'any'] },
  '--type <type>': { text: 'how the image comes there', choices: ['UNICAST', 'MULTICAST', 'TORRENT'] },
  '--no-wake': 'do not wake computers that are off',
  '--no-when-idle': 'do not wait where somebody is logged in',
  ...yesOption,
} as const

type Flags = FlagsOf<typeof options>

export const restore = subcommand({
  command: 'restore <image>',
  argument: 'its name, or <name>.v<version> for an older file of it',
  description: 'restore an image in rooms, tonight or now',
  options,
  async run(context, flags, image) {
    const payload = await toPayload(context, image, flags)
    const { call } = context.connect()
    const { body: preview } = await call('POST /image/plan', { ...payload, dry_run: true })
    context.print(formatPreview(preview, flags, context.width()))
    const { overwrites, disk, partition, computers, content } = preview
    if (overwrites > 0 && !flags.overwrite)
      throw usageError(`restore: expected --overwrite, as ${plural(overwrites, 'computer')} would lose another system`)
    const effect = `Overwrite disk ${disk}, partition ${partition} of ${plural(computers, 'computer')}`
    const describe = async () => `${effect}${describeLoss(content)}`
    await confirm(context, flags.yes, { where: 'restore', needsConsent: true, describe })
    const { body, job } = await call('POST /image/plan', payload)
    if (job === undefined)
      context.print(`planned as schedule ${body.schedule}; afterwards fleet report shows what became of it`)
    else context.print(`job ${job} started; fleet job ${job} --watch follows it, fleet report ${job} sums it up`)
  },
})

/** Keys of absent options are undefined, and so not sent. */
async function toPayload({ connect }: CliContext, image: string, flags: Flags): Promise<object> {
  const { room, at, now, until, batch, thenAfter, whenIdle, yes, ...others } = flags
  if ((at === undefined) === (now === undefined))
    throw usageError('restore: expected either --at or --now, got both or none of them')
  if (batch !== undefined && !/^[1-9]\d{0,4}$/.test(batch))
    throw usageError(`--batch: expected a number from 1, got ${batch}`)
  const scopes = await readScopes(connect())
  const names = room.flatMap(text => (scopes.rooms.some(({ name }) => name === text) ? text : text.split(',')))
  return {
    ...others,
    image,
    rooms: names.map(text => findRecord('--room', text.trim(), scopes.rooms).id),
    at: paddedTime('--at', at),
    until: paddedTime('--until', until),
    batch: batch && Number(batch),
    then_after: thenAfter,
    when_idle: whenIdle,
  }
}

/** `6:30` is `06:30`. */
function paddedTime(option: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  if (!/^([01]?\d|2[0-3]):[0-5]\d$/.test(text))
    throw usageError(`${option}: expected a time such as 22:30, got ${text}`)
  return text.padStart('hh:mm'.length, '0')
}

const roomColumns: Column<RoomPreview>[] = [
  'center',
  'name as room',
  'computers',
  countColumn('off now', ({ off }) => off),
  countColumn('in use now', row => row.in_use),
  countColumn('refused', ({ refused }) => refused, 'yellow'),
]

const refusedColumns: Column<PreviewAnswer['refused'][number]>[] = [
  'room',
  'name',
  'client',
  { title: 'gets nothing', value: ({ reason }) => reason, colour: () => 'yellow' },
]

function formatPreview(preview: PreviewAnswer, flags: Flags, width: number | undefined): string {
  const { image, repository, starts, until, computers, rooms, refused, disk, partition } = preview
  const system = preview.system === '' ? '' : ` (${preview.system})`
  const where = `to disk ${disk}, partition ${partition} of ${plural(computers, 'computer')}`
  const condition = flags.thenAfter === 'any' ? 'in any case' : 'where it succeeded'
  const conditions = [
    flags.now ? 'now' : formatLocalTime(starts),
    until !== undefined && `what has not begun by ${formatLocalTime(until)} expires`,
    flags.batch !== undefined && `at most ${flags.batch} at once`,
    flags.wake && 'computers that are off are woken',
    flags.whenIdle && 'computers in use wait',
    flags.then !== undefined && `then ${flags.then} ${condition}`,
  ]
  const lines = [
    `restore ${image}${system} from ${repository} ${where}`,
    conditions.filter(Boolean).join('; '),
    '',
    formatTable(rooms, roomColumns, width),
  ]
  if (refused.length > 0) lines.push('', formatTable(refused, refusedColumns, width))
  return [...lines, '', formatContent(preview.content, preview)].join('\n')
}
