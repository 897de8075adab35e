// Changes reservations: each change is stored before it has an effect, and only over the state that it was decided on.
import { powerOffByAgent } from './_ogagent.ts'
import type { Context, Reservation, Stored } from './_schemas.ts'
import { occupation } from './_states.ts'

/** One of two hosts, or of two requests, has changed it meanwhile; each loses at most a few times. */
const attempts = 8

export async function allReservations({ reservations }: Context['collections']): Promise<Stored[]> {
  const stored: Stored[] = []
  for await (const each of reservations.all()) stored.push(each)
  return stored
}

/** Whether it holds the computer now. */
export const runs = ({ state, until }: Reservation, now: number): boolean => state !== 'ended' && until > now

/** Stores what `change` makes of it; undefined when that makes nothing, or when there is none. */
export async function changeReservation(
  { collections }: Context,
  ip: string,
  change: (value: Reservation) => Reservation | undefined,
): Promise<Reservation | undefined> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const stored = await collections.reservations.get(ip)
    const value = stored && change(stored.value)
    if (!stored || !value) return undefined
    if ((await collections.reservations.put(ip, value, { version: stored.version })) !== undefined) return value
  }
  throw new Error(`${ip}: the reservation changes too often`)
}

export interface Ending {
  why: string
  /** Whether the computer is powered off. */
  off: boolean
  /** Only while this holds. */
  when?: (value: Reservation) => boolean
}

/** Ends a reservation that runs; resolves to whether it did. */
export async function endReservation(context: Context, ip: string, ending: Ending): Promise<boolean> {
  const now = context.services.now()
  const ended = await changeReservation(context, ip, value => {
    if (value.state === 'ended' || !(ending.when?.(value) ?? true)) return undefined
    return endOf(value, { ...ending, now })
  })
  if (!ended) return false
  context.services.log.info(`${ip}: reservation of ${ended.broker} ended: ${ending.why}`)
  if (ended.off) await powerOff(context, ip)
  return true
}

/** Without URLs, deadline and user. */
export function endOf(value: Reservation, { why, off, now }: Ending & { now: number }): Reservation {
  const { by, broker, room, image, disk, partition, since } = value
  const until = Math.min(value.until, now - 1000)
  return { state: 'ended', by, broker, room, image, disk, partition, since, until, boot: 'done', off, why }
}

/** Milliseconds in which a computer may connect again to be powered off: after a start of the daemon all of them do. */
const reconnectTime = 120_000

/** One that is not connected stays due for a while; then it is off, or somebody else has switched it on. */
export async function powerOff(context: Context, ip: string, end = context.services.now()): Promise<void> {
  const { services } = context
  const isLate = end + reconnectTime <= services.now()
  if (!isLate && services.fleet.has(ip)) {
    // What somebody else has begun on it meanwhile, such as a restore, goes on.
    if (services.fleet.running().some(({ addr }) => addr === ip)) return
    const job = await services.jobs.run({ command: 'remote-poweroff', clients: [ip] })
    if (services.isRefusal(job)) services.log.warn(`${ip}: not powered off: ${job.refused}`)
  } else if (!isLate && !(await powerOffByAgent(context, ip))) return
  await changeReservation(context, ip, value => (value.off ? { ...value, off: false } : undefined))
}

/** Milliseconds after which what was begun counts as lost with its daemon. */
const lostAfter = 15_000

/** Restarts a computer, or starts its system when it is in the live environment. Resolves to why that was refused. */
export async function boot(context: Context, ip: string, value: Reservation): Promise<string | undefined> {
  const { services } = context
  const status = services.fleet.clients().find(({ addr }) => addr === ip)?.status
  const isLive = status === 'oglive'
  if (status === undefined || (!isLive && value.boot === 'start')) return undefined
  const isSame = (current: Reservation) =>
    current.state === 'reserved' && current.since === value.since && current.boot === value.boot
  const now = services.now()
  // One of two that see it at once does it, and after a kill it is done again.
  const isMine = await changeReservation(context, ip, current =>
    isSame(current) && (current.tried ?? 0) <= now - lostAfter ? { ...current, tried: now } : undefined,
  )
  if (!isMine) return undefined
  const payload = { disk: String(value.disk), partition: String(value.partition) }
  const job = await services.jobs.run({ clients: [ip], ...(isLive ? { command: 'session', payload } : reboot) })
  const refused = services.isRefusal(job) ? job.refused : await skippedReason(context, ip, job)
  const next = isLive ? 'done' : 'start'
  await changeReservation(context, ip, current => (isSame(current) ? { ...current, boot: next, tried: 0 } : undefined))
  return refused
}

const reboot = { command: 'reboot' }

/** A hook may have skipped the computer. */
async function skippedReason({ services }: Context, ip: string, job: number): Promise<string | undefined> {
  const [part] = await services.store.jobs.parts(job, { limit: 1, outputs: false, client: ip })
  return part?.state === 'skipped' ? part.reason : undefined
}

/** Nobody is logged in, and it does nothing. */
export const isIdle = ({ services }: Context, ip: string): boolean => occupation(services, ip) === undefined
