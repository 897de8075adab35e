// What brokers do with a computer that they have: addresses to call, deadline, release, start.
import { Problem, wholeNumber } from './_answers.ts'
import { brokerUrl } from './_calls.ts'
import { type Computer, computerOf } from './_places.ts'
import { changeReservation, endReservation, runs } from './_reservations.ts'
import type { Asked, Reservation } from './_schemas.ts'

const neverReserved = 'client: never reserved'

/** The last reservation, which may have run out. */
async function reservationOf({ collections }: Asked, { ip }: Computer): Promise<Reservation> {
  const stored = await collections.reservations.get(ip)
  if (stored && stored.value.state !== 'waking') return stored.value
  throw new Problem(400, neverReserved)
}

/** That of another account is as if it did not run. */
const isOwn =
  ({ rights, services }: Asked) =>
  (value: Reservation) =>
    value.state === 'reserved' && value.by === rights.reference && runs(value, services.now())

export async function setEvents(asked: Asked, path: readonly string[]): Promise<void> {
  const computer = await computerOf(asked, path)
  const urls = {
    login: brokerUrl(asked, 'urlLogin'),
    logout: brokerUrl(asked, 'urlLogout'),
    release: brokerUrl(asked, 'urlRelease', true),
  }
  await reservationOf(asked, computer)
  await changeReservation(asked, computer.ip, value => (isOwn(asked)(value) ? { ...value, ...urls } : undefined))
}

export async function setSession(asked: Asked, path: readonly string[]): Promise<void> {
  const computer = await computerOf(asked, path, 404)
  const seconds = wholeNumber(asked.body.deadLine, 'deadLine', 0)
  const deadline = seconds === 0 ? 0 : asked.services.now() + seconds * 1000
  // Who has less time than that from the start needs no warning of it.
  const warned = seconds > 600 ? 0 : seconds > 300 ? 10 : 5
  const changed = await changeReservation(asked, computer.ip, value =>
    isOwn(asked)(value) && value.login ? { ...value, deadline, warned } : undefined,
  )
  if (!changed) throw new Problem(400, 'client: its reservation has no urlLogin')
}

/** Late or repeated it changes nothing: somebody else may have the computer. */
export async function unreserve(asked: Asked, path: readonly string[]): Promise<void> {
  const computer = await computerOf(asked, path, 404)
  await reservationOf(asked, computer)
  await endReservation(asked, computer.ip, { why: 'released by its broker', off: true, when: isOwn(asked) })
}

/** For a computer that is down when its person connects: it is woken, and its system is started. */
export async function initialize(asked: Asked, path: readonly string[]): Promise<void> {
  const { services, collections, settings } = asked
  const { ip, maintenance } = await computerOf(asked, path, 404)
  const image = wholeNumber(asked.body.image, 'image', 1)
  const copy = (await services.store.images.copies(image)).find(each => each.ip === ip)
  if (!copy || maintenance) throw new Problem(404, 'client: it does not have the image, or is in maintenance')
  const stored = await collections.reservations.get(ip)
  if (stored && runs(stored.value, services.now()) && !isOwn(asked)(stored.value))
    throw new Problem(404, 'client: reserved for another broker')
  const status = services.fleet.clients().find(({ addr }) => addr === ip)?.status
  if (status !== undefined && status !== 'oglive') return
  const job = await services.jobs.run({
    command: 'session',
    payload: { disk: String(copy.disk), partition: String(copy.partition) },
    clients: [ip],
    queue: settings.wake_seconds,
    wake: true,
  })
  if (services.isRefusal(job)) throw new Problem(404, job.refused)
}
