// Finds what options name: centers, rooms and computers of `GET /scopes`, and records of lists.
import { isIPv4 } from 'node:net'
import { CliError, usageError } from '../cli-error.ts'
import type { ApiClient } from './client.ts'
import { addressesOf, type ComputerRef, findAddress, readPending } from './computer-names.ts'
import { findRecord, findRecords, type NamedRecord } from './find-record.ts'
import { preferFiring } from './firing-schedules.ts'
import { findAddresses } from './search-computers.ts'

/** A room or a center. */
interface ScopeEntry extends NamedRecord {
  computers: (ComputerRef & { id: number })[]
}

/** The values of the options that choose computers. */
export interface ScopeFlags {
  client?: string[] | undefined
  room?: string[] | undefined
  center?: string[] | undefined
  where?: string | undefined
  group?: string | undefined
  except?: string[] | undefined
}

export async function readScopes({ call }: ApiClient) {
  const { body } = await call('GET /scopes')
  const rooms: ScopeEntry[] = []
  const centers = body.scope.map(({ id, name: center, scope }): ScopeEntry => {
    const inCenter = scope.map(({ id, name, scope }) => {
      const computers = scope.flatMap(node =>
        node.ip ? { id: node.id, ip: node.ip, name: node.name, room: name, center } : [],
      )
      return { id, name, center, computers }
    })
    rooms.push(...inCenter)
    return { id, name: center, computers: inCenter.flatMap(room => room.computers) }
  })
  return { centers, rooms, computers: centers.flatMap(({ computers }) => computers) }
}

/** The address of a computer, or else of a pending client. */
export async function knownAddress(api: ApiClient, text: string): Promise<string> {
  if (isIPv4(text)) return text
  const { computers } = await readScopes(api)
  if (computers.some(({ name }) => name === text)) return findAddress(text, computers)
  const pending = await readPending(api)
  return findAddress(text, pending.some(({ name }) => name === text) ? pending : computers)
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

const isFound = ({ where, group }: ScopeFlags) => where !== undefined || group !== undefined

/** The selected addresses without duplicates; none without options. With centers, only their rooms are searched. */
export async function resolveAddresses(
  api: ApiClient,
  flags: ScopeFlags,
  isFixed = !isFound(flags),
): Promise<string[]> {
  const chosen = await chosenAddresses(api, flags)
  const excepted = await exceptedAddresses(api, flags)
  if (excepted.length === 0) return chosen
  if (chosen.length === 0) throw usageError('--except: expected also what chooses computers, such as --room')
  // A name that is mistyped would leave in who is meant. What a query finds may be others later.
  const strays = isFixed ? excepted.filter(address => !chosen.includes(address)) : []
  if (strays.length > 0) {
    const computers = await readComputers(api)
    const names = strays.map(address => computers.get(address)?.name ?? address)
    throw usageError(`--except: ${names.join(', ')}: not among the computers that are chosen, or left out already`)
  }
  const left = chosen.filter(address => !excepted.includes(address))
  if (left.length === 0) throw usageError('--except: expected others than all computers that are chosen')
  return left
}

const exceptedAddresses = async (api: ApiClient, { except = [] }: ScopeFlags): Promise<string[]> =>
  except.length === 0 ? [] : addressesOf(api, except, (await readScopes(api)).computers)

/** Finds what the query finds, but not the computers of `--except`, also when they get other names and addresses. */
export async function withoutExcepted(api: ApiClient, flags: ScopeFlags, query: string): Promise<string> {
  const excepted = await exceptedAddresses(api, flags)
  if (excepted.length === 0) return query
  const { computers } = await readScopes(api)
  const terms = excepted.map(address => {
    const found = computers.find(({ ip }) => ip === address)
    if (!found) throw usageError(`--except: expected computers with a record, got ${address}`)
    return `-computer_id:${found.id}`
  })
  return `(${query}) ${terms.join(' ')}`
}

/** A query and a list are two choices. */
export function refuseMixed({ client = [], room = [], center = [], where, group }: ScopeFlags): void {
  const listed = client.length + room.length + center.length > 0 ? 'a list of computers or rooms' : undefined
  const given = [where !== undefined && '--where', group !== undefined && '--group', listed].filter(Boolean)
  if (given.length > 1) throw usageError(`expected one of --where, --group and a list, got ${given.join(' and ')}`)
}

async function chosenAddresses(
  api: ApiClient,
  { client = [], room = [], center = [], where, group }: ScopeFlags,
): Promise<string[]> {
  refuseMixed({ client, room, center, where, group })
  if (where !== undefined) return findAddresses(api, '--where', where, where)
  if (group !== undefined) {
    const id = await findId(api, 'group', '--group', group)
    return findAddresses(api, '--group', group, `group:${id}`)
  }
  if (room.length + center.length === 0 && client.every(text => isIPv4(text))) return [...new Set(client)]
  const scopes = await readScopes(api)
  const { rooms, centers } = findPlaces(scopes, { room, center })
  const computers = (rooms.length > 0 ? rooms : centers).flatMap(entry => entry.computers)
  const clients = await addressesOf(api, client, scopes.computers)
  const addresses = [...new Set([...clients, ...computers.map(({ ip }) => ip)])]
  if (addresses.length === 0) {
    const places = (rooms.length > 0 ? rooms : centers).map(({ name }) => name)
    throw usageError(`${places.join(' and ')} ${places.length === 1 ? 'has' : 'have'} no computers`)
  }
  return addresses
}

/** Of one computer. */
export async function resolveAddress(api: ApiClient, text: string): Promise<string> {
  const [address = text, ...others] = await resolveAddresses(api, { client: [text] })
  if (others.length > 0) throw usageError(`expected one computer, got ${text}`)
  return address
}

/** The rooms, in the centers if there are any. */
function findPlaces(scopes: Awaited<ReturnType<typeof readScopes>>, { room = [], center = [] }: ScopeFlags) {
  const centers = findRecords('--center', center, scopes.centers)
  const inCenters = ({ center }: ScopeEntry) => centers.length === 0 || centers.some(({ name }) => name === center)
  const candidates = scopes.rooms.filter(inCenters)
  return { centers, rooms: findRecords('--room', room, candidates) }
}

/** A query for the computers that rooms or centers have when it is used, whatever their names are then. */
export async function followedQuery(api: ApiClient, flags: ScopeFlags): Promise<string> {
  const { rooms, centers } = findPlaces(await readScopes(api), flags)
  const terms = rooms.length > 0 ? rooms.map(({ id }) => `room_id:${id}`) : centers.map(({ id }) => `center_id:${id}`)
  return withoutExcepted(api, flags, terms.join(' or '))
}

/** The center of the rooms, of the centers, or else of this computer. */
export async function centerOf(api: ApiClient, flags: ScopeFlags, address: string | undefined): Promise<number> {
  const scopes = await readScopes(api)
  const { rooms, centers } = findPlaces(scopes, flags)
  const ofComputer = scopes.computers.find(({ ip }) => ip === address)?.center
  const name = rooms[0]?.center ?? centers[0]?.name ?? ofComputer
  const center = scopes.centers.find(each => each.name === name)
  if (!center) throw usageError(`expected computers with a record, got ${address}`)
  return center.id
}

/** Of each kind what lists its records. */
const lists = {
  task: async ({ call }) => (await call('GET /tasks')).body.tasks,
  procedure: async ({ call }) => (await call('GET /procedures')).body.procedures,
  image: async ({ call }) => (await call('GET /images')).body.images,
  'planned restore': async ({ call }) =>
    (await call('GET /image/plans')).body.plans.map(({ schedule: id, name }) => ({ id, name })),
  repository: async ({ call }) => (await call('GET /repositories')).body.repositories,
  schedule: async ({ call }) => (await call('POST /schedule/get')).body.schedule,
  group: async ({ call }) => (await call('GET /groups')).body.groups,
  token: async ({ call }) => (await call('GET /tokens')).body.tokens,
  user: async ({ call }) => (await call('GET /users')).body.users,
} satisfies Record<string, (api: ApiClient) => Promise<ListedRecord[]>>

export type RecordKind = 'center' | 'room' | keyof typeof lists

export const isKind = (name: string): name is RecordKind =>
  name === 'center' || name === 'room' || Object.hasOwn(lists, name)

/** Tasks and procedures have the id of their center. */
type ListedRecord = Pick<NamedRecord, 'id' | 'name'> & { center?: number }

export async function readRecords(api: ApiClient, kind: RecordKind): Promise<NamedRecord[]> {
  if (kind === 'center' || kind === 'room') return (await readScopes(api))[`${kind}s`]
  const records: ListedRecord[] = await lists[kind](api)
  const { centers } = records.some(({ center }) => center !== undefined) ? await readScopes(api) : { centers: [] }
  const names = new Map(centers.map(({ id, name }) => [id, name]))
  return records.map(({ id, name, center }) =>
    center === undefined ? { id, name } : { id, name, center: names.get(center) ?? String(center) },
  )
}

/** The kind that a key of a payload names: `room`, `center_id`; `id` is the id of what the route begins with. */
export function kindOfKey(key: string, route: string): RecordKind | undefined {
  // Its path is that of the commands for images.
  if (key === 'id' && route === 'POST /image/unplan') return 'planned restore'
  // Rooms have groups of their own.
  if (key === 'group' && /^POST .room/.test(route)) return undefined
  const name = key === 'id' ? (route.split('/')[1] ?? '') : key === 'repo_id' ? 'repository' : key.replace(/_id$/, '')
  return isKind(name) ? name : undefined
}

/** Digits are an id, so that a deletion never meets a record of that name; any other text is a name. */
export async function findId(api: ApiClient, kind: RecordKind, option: string, text: string): Promise<number> {
  if (/^\d+$/.test(text)) return Number(text)
  const records = await readRecords(api, kind)
  return findRecord(option, text, kind === 'schedule' ? await preferFiring(api, records, text) : records).id
}
