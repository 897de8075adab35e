// `fleet restore`: plans the restore of an image in rooms, tonight or now, after showing what it will do.
import { type Command, Option } from 'commander'
import type { PreviewAnswer, RoomPreview } from '../../contract/answers.ts'
import { findRecord } from '../api/records.ts'
import { readScopes } from '../api/scopes.ts'
import { usageError } from '../cli-error.ts'
import type { CliContext } from '../context.ts'
import { type Column, formatLocalTime, formatTable, plural } from '../terminal/text-table.ts'
import { confirm } from './confirm.ts'
import { describeLoss, formatContent } from './partition-content.ts'
import { addYesOption } from './shared-options.ts'

interface Flags {
  rooms: string[]
  disk?: string
  partition?: string
  overwrite?: true
  type?: string
  tonight?: string
  now?: true
  until?: string
  batch?: string
  then?: string
  thenAfter?: string
  wake: boolean
  whenIdle: boolean
  yes?: true
}

export function addRestoreRooms(program: Command, context: CliContext): void {
  const restore = program
    .command('restore')
    .argument('<image>', 'its name, or <name>.v<version> for an older file of it')
    .description('restore an image in rooms, tonight or now')
    .requiredOption('--rooms <name or id...>', 'the rooms, also with commas between them')
    .option('--disk <number>', 'the disk, from 1; default: where the image was made')
    .option('--partition <number>', 'the partition, from 1; as --disk')
    .option('--overwrite', 'also where another system than that of the image is lost')
    .option('--tonight <hh:mm>', 'start at the next such time of the daemon')
    .option('--now', 'start at once')
    .option('--until <hh:mm>', 'what has not begun by then expires')
    .option('--batch <count>', 'at most so many computers at once')
    .addOption(new Option('--then <step>', 'a last step of each computer').choices(['poweroff', 'session']))
    .addOption(new Option('--then-after <which>', 'where; default: success').choices(['success', 'any']))
    .addOption(new Option('--type <type>', 'how the image comes there').choices(['UNICAST', 'MULTICAST', 'TORRENT']))
    .option('--no-wake', 'do not wake computers that are off')
    .option('--no-when-idle', 'do not wait where somebody is logged in')
  addYesOption(restore).action(async (image: string, flags: Flags) => {
    const payload = await toPayload(context, image, flags)
    const { call } = context.connect()
    const { body: plan } = await call<PreviewAnswer>('POST /image/plan', { ...payload, dry_run: true })
    context.print(formatPlan(plan, flags, context.width()))
    if (plan.overwrites > 0 && !flags.overwrite)
      throw usageError(
        `restore: expected --overwrite, as ${plural(plan.overwrites, 'computer')} would lose another system`,
      )
    const what = `Overwrite disk ${plan.disk}, partition ${plan.partition} of ${plural(plan.computers, 'computer')}`
    const effect = `${what}${describeLoss(plan.content)}`
    await confirm(context, flags.yes, { where: 'restore', needsConsent: true, describe: async () => effect })
    const { body, job } = await call<PreviewAnswer>('POST /image/plan', payload)
    if (job === undefined)
      context.print(`planned as schedule ${body.schedule}; afterwards fleet report shows what became of it`)
    else context.print(`job ${job} started; fleet job ${job} --watch follows it, fleet report ${job} sums it up`)
  })
}

/** Keys of absent options are undefined, and so not sent. */
async function toPayload({ connect }: CliContext, image: string, flags: Flags): Promise<object> {
  const { rooms, tonight, now, until, batch, thenAfter, whenIdle, yes, ...others } = flags
  if ((tonight === undefined) === (now === undefined))
    throw usageError('restore: expected either --tonight or --now, got both or none of them')
  if (batch !== undefined && !/^[1-9]\d{0,4}$/.test(batch))
    throw usageError(`--batch: expected a number from 1, got ${batch}`)
  const scopes = await readScopes(connect())
  const names = rooms.flatMap(text => (scopes.rooms.some(({ name }) => name === text) ? text : text.split(',')))
  return {
    ...others,
    image,
    rooms: names.map(text => findRecord('--rooms', text.trim(), scopes.rooms).id),
    at: paddedTime('--tonight', tonight),
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
  { title: 'room', value: ({ name }) => name },
  'computers',
  { title: 'off now', value: ({ off }) => off || '' },
  { title: 'in use now', value: ({ in_use }) => in_use || '' },
  { title: 'refused', value: ({ refused }) => refused || '', colour: () => 'yellow' },
]

const refusedColumns: Column<PreviewAnswer['refused'][number]>[] = [
  'room',
  'name',
  'client',
  { title: 'gets nothing', value: ({ reason }) => reason, colour: () => 'yellow' },
]

function formatPlan(plan: PreviewAnswer, flags: Flags, width: number | undefined): string {
  const { image, repository, starts, until, computers, rooms, refused, disk, partition } = plan
  const system = plan.system === '' ? '' : ` (${plan.system})`
  const conditions = [
    flags.now ? 'now' : formatLocalTime(starts),
    ...(until === undefined ? [] : [`what has not begun by ${formatLocalTime(until)} expires`]),
    ...(flags.batch === undefined ? [] : [`at most ${flags.batch} at once`]),
    ...(flags.wake ? ['computers that are off are woken'] : []),
    ...(flags.whenIdle ? ['computers in use wait'] : []),
    ...(flags.then === undefined
      ? []
      : [`then ${flags.then}${flags.thenAfter === 'any' ? ' in any case' : ' where it succeeded'}`]),
  ]
  const lines = [
    `restore ${image}${system} from ${repository} to disk ${disk}, partition ${partition} of ${plural(computers, 'computer')}`,
    conditions.join('; '),
    '',
    formatTable(rooms, roomColumns, width),
  ]
  if (refused.length > 0) lines.push('', formatTable(refused, refusedColumns, width))
  return [...lines, '', formatContent(plan.content, plan)].join('\n')
}
