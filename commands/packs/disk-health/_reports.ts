// Stores what an agent has reported: the newest report, the history of each disk, and alerts of disks that are failing now.
import type { FromSchema } from 'fleet-host'
import { type ComputerHealth, type Context, type DiskHealth, worse } from './_health-schemas.ts'
import { judgeDisk, judgeFileSystem } from './_judge.ts'
import { readSmart } from './_smart-values.ts'

export const report = {
  type: 'object',
  required: ['disks', 'filesystems'],
  properties: {
    disks: { type: 'array', maxItems: 32, items: { type: 'object' } },
    filesystems: {
      type: 'array',
      maxItems: 64,
      items: {
        type: 'object',
        required: ['mount', 'used', 'free'],
        properties: {
          mount: { type: 'string', maxLength: 200 },
          used: { type: 'integer', minimum: 0, description: 'KiB' },
          free: { type: 'integer', minimum: 0, description: 'KiB' },
        },
      },
    },
    reason: { type: 'string', maxLength: 200, description: 'why there are no disks' },
  },
} as const

type Report = FromSchema<typeof report>

/** Days with a report that the history of a disk has. */
const mostPoints = 60
/** Disks of a computer with a history that are no longer in it. */
const mostFormer = 8

export const keyOf = (client: string, { serial, name }: DiskHealth) => `${client} ${serial || name}`

export async function storeReport(client: string, sent: Report, context: Context): Promise<void> {
  const { collections, services, settings } = context
  const now = services.now()
  const before = (await collections.computers.get(client))?.value
  const disks = sent.disks.map(each => {
    const facts = readSmart(each)
    return judgeDisk(facts, before?.disks.find(findSame(facts)), settings, now)
  })
  // The alert first: a crash between both may repeat it, but not lose it.
  for (const disk of disks) {
    const wasFailing = before?.disks.find(findSame(disk))?.state === 'failing'
    const text = `${describeDisk(disk)}: ${disk.reasons.join(', ')}`
    if (disk.state === 'failing' && !wasFailing) services.alert({ client, kind: 'failing', text })
  }
  const health = { asked: before?.asked ?? now, time: now, ...judge(sent, disks, context) }
  await collections.computers.put(client, health)
  for (const disk of disks) if (disk.time === now) await addPoint(keyOf(client, disk), disk, context)
  await trimHistory(client, disks, context)
}

/** A disk in standby does not say its serial number. */
const findSame =
  (one: { name: string; serial: string }) =>
  ({ name, serial }: DiskHealth) =>
    one.serial === '' ? name === one.name : serial === one.serial

export const describeDisk = ({ name, model }: DiskHealth) => (model === '' ? name : `${name} (${model})`)

function judge({ filesystems, reason = '' }: Report, disks: DiskHealth[], { settings }: Context) {
  const systems = filesystems.map(({ mount, used, free }) => {
    const percent = used + free === 0 ? 0 : Math.ceil((100 * used) / (used + free))
    return { mount: mount.replace(/\p{C}/gu, ' '), percent, free: Math.floor(free / 1024) }
  })
  const full = systems.flatMap(system => judgeFileSystem(system, settings))
  const states = [...disks, ...full].map(({ state }) => state)
  const ofDisks = disks.flatMap(disk => disk.reasons.map(each => `${disk.name}: ${each}`))
  const missing = disks.length > 0 ? [] : [reason.replace(/\p{C}/gu, ' ') || 'no disk says anything of itself']
  const reasons = [...ofDisks, ...full.map(each => each.reason), ...missing].slice(0, 40)
  return {
    state: states.reduce(worse, 'unknown'),
    reasons,
    disks,
    filesystems: systems,
  } satisfies Partial<ComputerHealth>
}

async function addPoint(key: string, { values }: DiskHealth, { collections, services }: Context): Promise<void> {
  if (Object.keys(values).length === 0) return
  const day = new Date(services.now()).toISOString().slice(0, 10)
  const points = (await collections.history.get(key))?.value.points ?? []
  const others = points.filter(point => point.day !== day)
  await collections.history.put(key, { points: [...others, { day, ...values }].slice(-mostPoints) })
}

async function trimHistory(client: string, disks: DiskHealth[], { collections }: Context): Promise<void> {
  const current = new Set(disks.map(disk => keyOf(client, disk)))
  const all = await collections.history.list({ prefix: `${client} `, limit: 1000 })
  const former = all.filter(({ key }) => !current.has(key))
  const lastDay = ({ value }: (typeof all)[number]) => value.points.at(-1)?.day ?? ''
  former.sort((one, other) => (lastDay(one) < lastDay(other) ? 1 : -1))
  for (const { key } of former.slice(mostFormer)) await collections.history.delete(key)
}

/** What is kept of a computer that has no record any more. */
export async function forget(client: string, { collections }: Pick<Context, 'collections'>): Promise<void> {
  await collections.computers.delete(client)
  for await (const { key } of collections.history.all(`${client} `)) await collections.history.delete(key)
}
