// Which computers can be lent: those with the image that nobody has, sits at, or needs soon.
import { Problem } from './_answers.ts'
import { type Computer, type Image, isOffered, roomsOf } from './_places.ts'
import { allReservations, runs } from './_reservations.ts'
import type { Asked, Stored } from './_schemas.ts'

export interface Candidate {
  computer: Computer
  disk: number
  partition: number
  stored: Stored | undefined
}

const minute = 60_000

/** Those that were never lent come first, then the one whose last reservation ended longest ago. */
export async function findCandidates(asked: Asked, center: number, image: Image, lab: number): Promise<Candidate[]> {
  const { services, collections, rights } = asked
  if (!isOffered(image, asked)) throw new Problem(401, 'image: not one of yours')
  const computers = await lentComputers(asked, center, lab)
  const known = new Set((await services.store.repositories.list()).map(({ id }) => id))
  const copies = new Map((await services.store.images.copies(image.id)).map(copy => [copy.ip, copy]))
  const reservations = new Map((await allReservations(collections)).map(stored => [stored.key, stored]))
  const soon = await scheduledSoon(asked)
  const now = services.now()
  const candidates = computers.flatMap((computer): Candidate[] => {
    const { ip, maintenance, repo_id } = computer
    const copy = copies.get(ip)
    const stored = reservations.get(ip)
    if (!copy || maintenance || !known.has(repo_id) || soon.has(ip)) return []
    if (stored && runs(stored.value, now) && !isWaking(stored, rights.reference, image.id)) return []
    // Its power-off is still to be sent, and would hit the next person.
    if (stored?.value.off) return []
    return [{ computer, disk: copy.disk, partition: copy.partition, stored }]
  })
  return candidates.sort((a, b) => (a.stored?.value.until ?? 0) - (b.stored?.value.until ?? 0))
}

/** Woken for this broker and image. */
export const isWaking = ({ value }: Stored, by: string, image: number): boolean =>
  value.state === 'waking' && value.by === by && value.image === image

async function lentComputers(asked: Asked, center: number, lab: number): Promise<Computer[]> {
  const { services, settings, rights } = asked
  const rooms = new Map((await roomsOf(asked, center)).map(room => [room.id, room]))
  if (lab > 0 && !rooms.has(lab)) return []
  const found = settings.where === '' ? undefined : await services.search.find(settings.where, rights)
  if (services.isRefusal(found)) throw new Problem(500, `where: ${found.refused}`)
  const lent = found && new Set(found.map(({ ip }) => ip))
  const isLent = ({ ip, room }: Computer) => (lent ? lent.has(ip) : rooms.get(room)?.remote === true)
  const all = await services.store.computers.list(...(lab > 0 ? [lab] : []))
  return all.filter(each => rooms.has(each.room) && isLent(each) && (!rights.isLimited || rights.hasClient(each.ip)))
}

async function scheduledSoon({ services, settings }: Asked): Promise<ReadonlyMap<string, number>> {
  const rights = settings.schedule_minutes > 0 ? services.access.rightsOf('admin') : undefined
  if (!rights) return new Map()
  return services.schedules.upcoming(services.now() + settings.schedule_minutes * minute, { caller: '', rights })
}
