// Shows everybody how many computers of a room are free, if an administrator has allowed it for the room.
import type { Command, Services } from 'fleet-host'
import { type FreeSeats, pageOf, script, style } from './_free-seats-page.ts'
import { countRooms } from './_usage-now.ts'
import type pack from './pack.ts'

/** However many ask, the computers are counted once in so many milliseconds. */
const freshMilliseconds = 2000

let counted: { time: number; seats: Promise<Map<number, FreeSeats>> } | undefined

async function countSeats(services: Services): Promise<Map<number, FreeSeats>> {
  const { rooms, free } = await countRooms(services)
  const all = await services.store.rooms.list()
  return new Map(
    all.map(({ id, name }) => [id, { room: name, free: free.get(id) ?? 0, computers: rooms[id]?.has ?? 0 }]),
  )
}

function freshSeats(services: Services): Promise<Map<number, FreeSeats>> {
  const now = performance.now()
  if (!counted || now - counted.time > freshMilliseconds) counted = { time: now, seats: countSeats(services) }
  return counted.seats
}

export default {
  summary: 'Show how many computers of a room are free, without a token',
  group: 'Usage',
  route: 'GET /free-seats',
  access: 'none',
  http: { rest: true },
  mediaType: 'text/html',
  async answer({ request: { rest }, services, settings }) {
    const { text } = services
    const [name = '', part, ...others] = rest
    // The same for a room that does not exist: nobody can find out which there are.
    const unknown = text('text/plain; charset=utf-8', 'There is no such page.\n', 404)
    if (settings.free_seats.length === 0 || others.length > 0) return unknown
    if (name === 'page.css' && part === undefined) return text('text/css; charset=utf-8', style)
    if (name === 'page.js' && part === undefined) return text('text/javascript; charset=utf-8', script)
    if (!/^[1-9][0-9]{0,8}$/.test(name) || !settings.free_seats.includes(Number(name))) return unknown
    const seats = (await freshSeats(services)).get(Number(name))
    if (!seats) return unknown
    const uncached = { 'Cache-Control': 'no-store' }
    if (part === undefined)
      return text('text/html; charset=utf-8', pageOf(seats, settings.free_seats_title), 200, uncached)
    return part === 'now' ? text('application/json', JSON.stringify(seats), 200, uncached) : unknown
  },
} satisfies Command<undefined, undefined, undefined, typeof pack>
