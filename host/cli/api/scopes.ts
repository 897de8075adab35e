// Finds centers, rooms and computers of `GET /scopes` by name or id.
import { isIPv4 } from 'node:net'
import type { ScopeNode, ScopesAnswer } from '../../contract/answers.ts'
import { CliError, usageError } from '../cli-error.ts'
import type { ApiClient } from './client.ts'
import { findRecord, unknownName } from './records.ts'

/** A computer with the names of its room and center. */
export interface ComputerRef {
  ip: string
  name: string
  room: string
  center: string
}

/** A room or a center; `center` is the name of the center it belongs to, or its own. */
export interface ScopeEntry {
  id: number
  name: string
  center: string
  computers: ComputerRef[]
}

export interface Scopes {
  centers: ScopeEntry[]
  rooms: ScopeEntry[]
  computers: ComputerRef[]
}

/** The values of the options --client, --room and --center. */
export interface ScopeFlags {
  client?: string[]
  room?: string[]
  center?: string[]
}

export async function readScopes({ call }: ApiClient): Promise<Scopes> {
  const { body } = await call<ScopesAnswer>('GET /scopes')
  const centers = body.scope.map(({ id, name, scope }) => {
    const rooms = scope.map(room => toRoom(room, name))
    return { id, name, center: name, rooms, computers: rooms.flatMap(room => room.computers) }
  })
  return {
    centers,
    rooms: centers.flatMap(({ rooms }) => rooms),
    computers: centers.flatMap(({ computers }) => computers),
  }
}

function toRoom({ id, name, scope }: ScopeNode, center: string): ScopeEntry {
  const computers = scope.flatMap(node =>
    node.ip === undefined ? [] : [{ ip: node.ip, name: node.name, room: name, center }],
  )
  return { id, name, center, computers }
}

/** The computers by address; undefined when the tree is larger than the daemon's response limit (status 400). */
export async function readAllComputers(api: ApiClient): Promise<Map<string, ComputerRef> | undefined> {
  try {
    return new Map((await readScopes(api)).computers.map(computer => [computer.ip, computer]))
  } catch (error) {
    if (error instanceof CliError && error.status === 400) return undefined
    throw error
  }
}

/** For the names of addresses, which are left out when the daemon cannot list its computers. */
export async function readComputers(api: ApiClient): Promise<Map<string, ComputerRef>> {
  return (await readAllComputers(api)) ?? new Map()
}

/** The selected addresses without duplicates; none without options. With centers, only their rooms are searched. */
export async function resolveAddresses(
  api: ApiClient,
  { client = [], room = [], center = [] }: ScopeFlags,
): Promise<string[]> {
  if (room.length + center.length === 0 && client.every(text => isIPv4(text))) return [...new Set(client)]
  const scopes = await readScopes(api)
  const centers = center.map(text => findRecord('--center', text, scopes.centers))
  const candidates =
    centers.length === 0
      ? scopes.rooms
      : scopes.rooms.filter(entry => centers.some(({ name }) => name === entry.center))
  const rooms = room.map(text => findRecord('--room', text, candidates))
  const computers = (rooms.length > 0 ? rooms : centers).flatMap(entry => entry.computers)
  const clients = client.map(text => (isIPv4(text) ? text : findAddress(text, scopes.computers)))
  const addresses = [...new Set([...clients, ...computers.map(({ ip }) => ip)])]
  if (addresses.length === 0)
    throw usageError(`${[...room, ...center].join(', ')}: expected at least one computer, got none`)
  return addresses
}

export async function findRoom(api: ApiClient, text: string): Promise<ScopeEntry> {
  return findRecord('--room', text, (await readScopes(api)).rooms)
}

function findAddress(text: string, computers: ComputerRef[]): string {
  const [computer, ...others] = computers.filter(({ name }) => name === text)
  if (!computer) throw unknownName('--client', text, computers)
  if (others.length === 0) return computer.ip
  const candidates = [computer, ...others].map(({ ip, room }) => `${ip} (${room})`)
  throw usageError(`--client: expected one of the addresses ${candidates.join(', ')}, got ${text}`)
}
