// Centers, rooms and computers by the names that people use, out of `GET /scopes`.
import { isIPv4 } from 'node:net'
import { closest } from 'fastest-levenshtein'
import type { ScopeNode } from '../../../stores/store.ts'
import { CliError, usageError } from '../terminal/failure.ts'
import type { ApiClient } from './client.ts'

/** A computer and where it stands. */
export interface Seat {
  ip: string
  name: string
  room: string
  center: string
}

export interface Place {
  id: number
  name: string
  center: string
  seats: Seat[]
}

export interface Places {
  centers: Place[]
  rooms: Place[]
  seats: Seat[]
}

/** Whom a subcommand is about, as its options have it. */
export interface Chosen {
  client?: string[]
  room?: string[]
  center?: string[]
}

export async function readPlaces({ call }: ApiClient): Promise<Places> {
  const { body } = await call<{ scope: ScopeNode[] }>('GET /scopes')
  const rooms = body.scope.flatMap(center => center.scope.map(room => placeOf(room, center.name)))
  const centers = body.scope.map(({ id, name }, index) => {
    const within = body.scope[index]?.scope.map(room => placeOf(room, name)) ?? []
    return { id, name, center: name, seats: within.flatMap(({ seats }) => seats) }
  })
  return { centers, rooms, seats: centers.flatMap(({ seats }) => seats) }
}

function placeOf({ id, name, scope }: ScopeNode, center: string): Place {
  const seats = scope.flatMap(node => ('ip' in node ? [{ ip: node.ip, name: node.name, room: name, center }] : []))
  return { id, name, center, seats }
}

/** Names for what is listed; without them where the tree is larger than an answer may be. */
export async function readSeats(caller: ApiClient): Promise<Map<string, Seat>> {
  const none: Places = { centers: [], rooms: [], seats: [] }
  const { seats } = await readPlaces(caller).catch(error => {
    if (error instanceof CliError && error.status === 400) return none
    throw error
  })
  return new Map(seats.map(seat => [seat.ip, seat]))
}

/** The addresses that were chosen, each once; none when nothing was. Rooms named with centers are rooms of these. */
export async function chooseAddresses(
  caller: ApiClient,
  { client = [], room = [], center = [] }: Chosen,
): Promise<string[]> {
  if (room.length + center.length === 0 && client.every(one => isIPv4(one))) return [...new Set(client)]
  const places = await readPlaces(caller)
  const centers = center.map(wanted => find('--center', wanted, places.centers))
  const within =
    centers.length === 0 ? places.rooms : places.rooms.filter(one => centers.some(({ name }) => name === one.center))
  const rooms = room.map(wanted => find('--room', wanted, within))
  const seats = (rooms.length > 0 ? rooms : centers).flatMap(place => place.seats)
  const clients = client.map(one => (isIPv4(one) ? one : addressOf(one, places.seats)))
  const chosen = [...new Set([...clients, ...seats.map(({ ip }) => ip)])]
  if (chosen.length === 0) throw usageError(`${[...room, ...center].join(', ')}: there are no computers in it`)
  return chosen
}

export async function findRoom(caller: ApiClient, wanted: string): Promise<Place> {
  return find('--room', wanted, (await readPlaces(caller)).rooms)
}

/** By name first: a room may be called 101. */
function find(option: string, wanted: string, places: Place[]): Place {
  const named = places.filter(({ name }) => name === wanted)
  const [found, ...more] = named.length > 0 ? named : places.filter(({ id }) => String(id) === wanted)
  if (!found)
    throw usageError(
      `${option}: ${unknown(
        wanted,
        places.map(({ name }) => name),
      )}`,
    )
  if (more.length === 0) return found
  const ids = named.map(({ id, center }) => `${id} (${center})`).join(', ')
  throw usageError(`${option}: expected one of the ids ${ids}, got ${wanted}`)
}

function addressOf(wanted: string, seats: Seat[]): string {
  const [found, ...more] = seats.filter(({ name }) => name === wanted)
  if (!found)
    throw usageError(
      `--client: ${unknown(
        wanted,
        seats.map(({ name }) => name),
      )}`,
    )
  if (more.length > 0) throw usageError(`--client: expected an address, got ${wanted}`)
  return found.ip
}

/** `expected shell-run, got shell-rum`. */
export function unknown(wanted: string, names: string[]): string {
  return `expected ${names.length === 0 ? 'an existing name' : closest(wanted, names)}, got ${wanted}`
}
