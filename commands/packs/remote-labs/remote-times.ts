// Ends reservations in time, warns before, and does again what a daemon that was killed has left undone.
import type { Hook } from 'fleet-host'
import { warnByAgent } from './_ogagent.ts'
import { logout } from './_people.ts'
import { allReservations, boot, changeReservation, endReservation, isIdle, powerOff } from './_reservations.ts'
import type { Context, Reservation, Stored } from './_schemas.ts'
import type pack from './pack.ts'

const minute = 60_000
/** Minutes before the end, the longest first. */
const warnings = [10, 5] as const

export default {
  summary: 'End reservations in time',
  every: '15 seconds',
  async run(context) {
    const { services, settings } = context
    const stored = await allReservations(context.collections)
    const rights = services.access.rightsOf('admin')
    const isAsked = rights && settings.schedule_minutes > 0 && stored.some(({ value }) => value.state === 'reserved')
    const until = services.now() + warnings[0] * minute
    const soon = isAsked ? await services.schedules.upcoming(until, { caller: '', rights }) : new Map<string, number>()
    for (const each of stored) await look(context, each, soon.get(each.key))
  },
} satisfies Hook<typeof pack>

async function look(context: Context, { key: ip, value }: Stored, scheduled: number | undefined): Promise<void> {
  if (value.state === 'ended') {
    if (value.off) await powerOff(context, ip, value.until)
    return
  }
  const ending = endingOf(context, ip, value)
  if (ending) {
    await endReservation(context, ip, { ...ending, when: current => endingOf(context, ip, current) !== undefined })
    return
  }
  if (value.state !== 'reserved') return
  if (value.boot !== 'done' && isIdle(context, ip)) await boot(context, ip, value)
  await findLeft(context, ip, value)
  const ends = [value.deadline ?? 0, scheduled ?? 0].filter(time => time > 0)
  if (ends.length > 0) await warn(context, ip, value, Math.min(...ends))
}

/** Whether a reservation is over now, and why. */
function endingOf(context: Context, ip: string, value: Reservation): { why: string; off: boolean } | undefined {
  const { services, settings } = context
  const now = services.now()
  const { state, since, until, deadline = 0, login, left = 0 } = value
  const isOver = (start: number, minutes: number) => minutes > 0 && start > 0 && start + minutes * minute <= now
  if (state === 'waking') {
    const connected = services.fleet.has(ip)
    const why = connected ? 'the broker has not come for it' : 'it was woken and did not connect'
    return until <= now ? { why, off: connected && isIdle(context, ip) } : undefined
  }
  if (deadline > 0 && deadline <= now) return { why: 'the deadline has passed', off: true }
  if (until <= now) return { why: 'its time is over', off: false }
  if (!login && isOver(since, settings.silent_minutes))
    return { why: 'the broker has not said whom to call', off: isIdle(context, ip) }
  if (isOver(left, settings.logout_minutes)) return { why: 'its person has logged out', off: isIdle(context, ip) }
  return undefined
}

/** A log-out that nobody has reported: the computer has restarted, or the daemon was down. */
async function findLeft(context: Context, ip: string, value: Reservation): Promise<void> {
  const { services, collections } = context
  const isGone = () => services.fleet.has(ip) && !services.sessions.list().some(({ client }) => client === ip)
  if (value.user === undefined || !isGone() || (await collections.agents.get(ip))) return
  // Who is logged in is reported a moment after the connection.
  if (value.unseen === true) await logout(context, ip)
  else await changeReservation(context, ip, current => ({ ...current, unseen: true }))
}

async function warn(context: Context, ip: string, value: Reservation, end: number): Promise<void> {
  const left = end - context.services.now()
  const due = warnings.findLast(minutes => left <= minutes * minute)
  const { warned = 0 } = value
  if (due === undefined || (warned > 0 && warned <= due)) return
  // Once, whether the agent takes it or not.
  const changed = await changeReservation(context, ip, current =>
    current.since === value.since && (current.warned ?? 0) === warned ? { ...current, warned: due } : undefined,
  )
  if (changed) await warnByAgent(context, ip, due)
}
