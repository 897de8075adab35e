// Adds and multiplies counts of rooms, and computes the energy of what was counted.
import type { Counts, RoomCounts, Settings } from './_usage-schemas.ts'

const secondKeys = ['has', 'on', 'use', 'live', 'linux', 'windows', 'virtual'] as const
const eventKeys = ['logins', 'boots', 'failures'] as const
export const countKeys = [...secondKeys, ...eventKeys] as const

export function addCounts(sum: Counts, more: Counts): void {
  for (const key of countKeys) {
    const value = more[key] ?? 0
    if (value > 0) sum[key] = (sum[key] ?? 0) + value
  }
}

export function addRooms(sum: RoomCounts, more: RoomCounts): void {
  for (const [room, counts] of Object.entries(more)) {
    sum[room] ??= {}
    addCounts(sum[room], counts)
  }
}

/** Adds one computer, or one event. */
export function addOne(rooms: RoomCounts, room: number, ...keys: readonly (typeof countKeys)[number][]): void {
  rooms[room] ??= {}
  for (const key of keys) addCounts(rooms[room], { [key]: 1 })
}

/** Computers in each state, as the seconds that they were in it. */
export function timesSeconds(rooms: RoomCounts, seconds: number): RoomCounts {
  const times = (counts: Counts): Counts =>
    Object.fromEntries(Object.entries(counts).map(([key, value]) => [key, value * seconds]))
  return Object.fromEntries(Object.entries(rooms).map(([room, counts]) => [room, times(counts)]))
}

const joulesPerKwh = 3_600_000

export function kwhOf(room: number, { has = 0, on = 0, use = 0 }: Counts, { watts, room_watts }: Settings): number {
  const own = room_watts.find(each => each.room === room) ?? watts
  // Somebody may be logged in on a computer without a record of its own any more.
  const [idle, off] = [Math.max(0, on - use), Math.max(0, has - on)]
  return (use * own.on + idle * own.idle + off * own.off) / joulesPerKwh
}
