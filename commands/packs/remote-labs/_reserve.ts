// Reserves a computer: one that is awake and free, or one that is woken for the broker and confirmed before it is promised.
import { setTimeout as wait } from 'node:timers/promises'
import { Problem, wholeNumber } from './_answers.ts'
import { type Candidate, findCandidates, isWaking } from './_choose.ts'
import { type Image, imageOf, plainMac } from './_places.ts'
import { boot, changeReservation, endOf, runs } from './_reservations.ts'
import type { Asked, Reservation } from './_schemas.ts'
import { occupation } from './_states.ts'

const hour = 3_600_000
const defaultHours = 24
/** Milliseconds between two looks whether a woken computer has connected. */
const look = 250
/** Computers that are tried for one request. */
const mostTried = 20

export async function reserve(asked: Asked, ou: string, imageId: string): Promise<object> {
  const { services, settings, body } = asked
  const image = await imageOf(asked, ou, imageId)
  const lab = body.labid === undefined ? 0 : wholeNumber(body.labid, 'labid', 0)
  const hours = body.maxtime === undefined ? defaultHours : wholeNumber(body.maxtime, 'maxtime', 1)
  if (services.drain.state().draining) throw new Problem(401, 'the server is about to restart')
  const wish = { image, center: Number(ou), lab, hours: Math.min(hours, settings.hours) }
  const refusals: string[] = []
  const found = await takeAwake(asked, wish, refusals)
  if (found) return answerOf(found, wish.center)
  const woken = await wakeSome(asked, wish, refusals)
  const end = performance.now() + settings.answer_seconds * 1000
  while (woken > 0 && performance.now() < end && !services.signal.aborted) {
    await wait(look)
    const ready = await takeAwake(asked, wish, refusals)
    if (ready) return answerOf(ready, wish.center)
  }
  const reason = refusals[0] ?? 'no free computer'
  throw new Problem(401, woken > 0 ? `no free computer is on; ${woken} are being woken: ask again` : reason)
}

interface Wish {
  image: Image
  center: number
  lab: number
  hours: number
}

const answerOf = ({ computer }: Candidate, center: number) => ({
  id: computer.id,
  name: computer.name,
  ip: computer.ip,
  mac: plainMac(computer.mac),
  lab: { id: computer.room },
  ou: { id: center },
})

/** The first that is connected and free, and that no hook refuses. */
async function takeAwake(asked: Asked, wish: Wish, refusals: string[]): Promise<Candidate | undefined> {
  const { services, collections } = asked
  const candidates = await findCandidates(asked, wish.center, wish.image, wish.lab)
  let tried = 0
  for (const candidate of candidates) {
    const { ip } = candidate.computer
    if (!services.fleet.has(ip) || occupation(services, ip) !== undefined) continue
    if (tried++ >= mostTried) return undefined
    const value = { ...firstOf(asked, wish, candidate), until: services.now() + wish.hours * hour }
    const version = await collections.reservations.put(ip, value, { version: candidate.stored?.version ?? 0 })
    // Another request has got it.
    if (version === undefined) continue
    const reason = await confirm(asked, ip, value)
    if (reason === undefined) {
      services.log.info(`${ip}: reserved for ${value.broker} for ${wish.hours} hours`)
      return candidate
    }
    refusals.push(reason)
    const before = candidate.stored?.value.until ?? 0
    await changeReservation(asked, ip, current =>
      current.since === value.since && current.state === 'reserved'
        ? { ...endOf(current, { why: reason, off: false, now: services.now() }), until: before }
        : undefined,
    )
  }
  return undefined
}

/** Resolves to why it cannot be promised after all: it has gone, somebody has sat down, or it may not be started. */
async function confirm(asked: Asked, ip: string, value: Reservation): Promise<string | undefined> {
  const { services } = asked
  if (!services.fleet.has(ip)) return 'it has just gone'
  return occupation(services, ip) ?? (await boot(asked, ip, value))
}

function firstOf({ services, rights }: Asked, wish: Wish, { computer, disk, partition }: Candidate): Reservation {
  const { reference: by, name: broker } = rights
  const place = { room: computer.room, image: wish.image.id, disk, partition }
  const now = services.now()
  return { state: 'reserved', by, broker, ...place, since: now, until: 0, boot: 'restart', off: false }
}

/** Resolves to how many computers are waking for this broker and image. */
async function wakeSome(asked: Asked, wish: Wish, refusals: string[]): Promise<number> {
  const { services, collections, settings, rights } = asked
  const candidates = await findCandidates(asked, wish.center, wish.image, wish.lab)
  const now = services.now()
  const waking = candidates.filter(({ stored }) => stored && runs(stored.value, now))
  const count = waking.filter(({ stored }) => stored && isWaking(stored, rights.reference, wish.image.id)).length
  if (count >= settings.waking) return count
  let tried = 0
  for (const candidate of candidates) {
    const { ip } = candidate.computer
    if (waking.includes(candidate) || services.fleet.has(ip)) continue
    if (tried++ >= mostTried) return count
    const until = now + settings.wake_seconds * 1000
    const value: Reservation = { ...firstOf(asked, wish, candidate), state: 'waking', until }
    const version = await collections.reservations.put(ip, value, { version: candidate.stored?.version ?? 0 })
    if (version === undefined) continue
    const reason = await wake(asked, ip)
    if (reason === undefined) return count + 1
    refusals.push(reason)
    await changeReservation(asked, ip, current => endOf(current, { why: reason, off: false, now }))
  }
  return count
}

/** Resolves to why that was not possible. */
export async function wake({ services }: Pick<Asked, 'services'>, ip: string): Promise<string | undefined> {
  const job = await services.jobs.run({ command: 'wol', payload: { type: 'broadcast' }, clients: [ip] })
  if (services.isRefusal(job)) return job.refused
  const [part] = await services.store.jobs.parts(job, { limit: 1, outputs: false, client: ip })
  // It is sent until the computer connects.
  return part?.state === 'sent' || part?.state === 'success' ? undefined : (part?.reason ?? 'not woken')
}
