// How many computers of each room are on, in use and free now.
import type { Services } from 'fleet-host'
import { addOne } from './_usage-counts.ts'
import type { RoomCounts } from './_usage-schemas.ts'

/** By the beginning of the status. */
const systems = [
  ['oglive', 'live'],
  ['busy', 'live'],
  ['virtual', 'virtual'],
  ['linux', 'linux'],
  ['windows', 'windows'],
] as const

/** `free`: by room, computers that somebody may sit down at, also those that are off. */
export async function countRooms({ store, fleet, sessions, slices }: Services) {
  const statuses = new Map(fleet.clients().map(({ addr, status }) => [addr, status]))
  const users = new Set(sessions.list().map(({ client }) => client))
  const rooms: RoomCounts = {}
  const free = new Map<number, number>()
  await slices.forEach(await store.computers.list(), ({ ip, room, maintenance }) => {
    const status = statuses.get(ip)
    // A computer that is being woken has no status.
    const isUsed = status !== undefined && users.has(ip)
    const isFree = !isUsed && !maintenance && status !== 'busy'
    free.set(room, (free.get(room) ?? 0) + (isFree ? 1 : 0))
    addOne(rooms, room, 'has', ...(isUsed ? ['use' as const] : []))
    if (status === undefined) return
    const [, system] = systems.find(([word]) => status.startsWith(word)) ?? []
    addOne(rooms, room, 'on', ...(system === undefined ? [] : [system]))
  })
  return { rooms, free }
}
