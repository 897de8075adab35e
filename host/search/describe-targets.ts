// Says which computers a task or a schedule is for: a list, rooms or centers with what they have now, a group or a query.
import { addressesIn, findNode } from '../../stores/rules/scope-nodes.ts'
import type { Frozen, Group, ScopeNode } from '../../stores/store.ts'
import type { Rights, Targets, TargetWords } from '../contract/services.ts'
import { termsOf } from './group-order.ts'
import { parseQuery, type Query, QueryError, type Term } from './parse-query.ts'

type Nodes = Frozen<ScopeNode[]>

interface Names {
  scopes: Nodes
  groups: readonly Group[]
  rights: Rights
}

interface Place {
  type: 'room' | 'center'
  id: number
}

export function describeTargets({ center, scope, clients, where, group }: Targets, all: Names): TargetWords {
  if (group !== undefined)
    return { kind: 'group', names: all.groups.flatMap(({ id, name }) => (id === group ? name : [])) }
  if (where !== undefined) {
    const found = placesIn(where)
    // A query may name what is outside the limits.
    const names = all.rights.isLimited ? [] : [namedPlaces(where, all)]
    return found ? describePlaces(found, all) : { kind: 'query', names }
  }
  if (clients) return { kind: 'list', names: wholeRooms(clients, all), computers: clients.length }
  if (scope?.type === 'computer') return { kind: 'list', names: [], computers: 1 }
  const places = [{ type: scope?.type ?? 'center', id: scope?.id ?? center }]
  return describePlaces({ places, without: [] }, all)
}

/** Those that are left out follow the last name: `Room 1 − pc-12`. */
function describePlaces({ places, without }: Found, { scopes, rights }: Names): TargetWords {
  const nodes = places.flatMap(place => findNode(scopes, place) ?? [])
  const seen = nodes.filter(({ type, id }) => (type === 'room' ? rights.reachesRoom(id) : rights.reachesCenter(id)))
  const visible = new Set(seen.flatMap(addressesIn).filter(ip => !rights.isLimited || rights.hasClient(ip)))
  const kind = places.every(({ type }) => type === 'room') ? 'rooms' : 'centers'
  const rooms = seen.flatMap(node => (node.type === 'room' ? node : node.scope))
  const isLeftOut = (node: Nodes[number]) => without.includes(node.id) && 'ip' in node && visible.delete(node.ip)
  const leftOut = rooms.flatMap(({ scope }) => scope.filter(isLeftOut)).map(({ name }) => name)
  const names = seen.map(({ name }) => name)
  const last = leftOut.length === 0 ? names.slice(-1) : [`${names.at(-1)} − ${leftOut.join(', ')}`]
  return { kind, names: [...names.slice(0, -1), ...last], computers: visible.size }
}

/** The room, center or group that it is for, as far as these are gone. */
export function missingTargets(
  { scope, where, group }: Pick<Targets, 'scope' | 'where' | 'group'>,
  { scopes, groups }: Pick<Names, 'scopes' | 'groups'>,
): { type: string; id: number }[] {
  if (group !== undefined) return groups.some(({ id }) => id === group) ? [] : [{ type: 'group', id: group }]
  return placesOf({ scope, where }).filter(place => !findNode(scopes, place))
}

/** The rooms and centers, or the computer, that it names and nothing else. */
export const placesOf = ({ scope, where }: Pick<Targets, 'scope' | 'where'>) =>
  where === undefined ? [scope ?? []].flat() : (placesIn(where)?.places ?? [])

/** The names of the rooms of which these are all computers; none when they are others, too. */
function wholeRooms(clients: readonly string[], { scopes, rights }: Names): string[] {
  const meant = new Set(clients)
  const rooms = scopes.flatMap(({ scope }) => scope).filter(({ id }) => rights.reachesRoom(id))
  const whole = rooms.filter(({ scope }) => scope.length > 0 && scope.every(node => 'ip' in node && meant.has(node.ip)))
  const count = whole.reduce((sum, { scope }) => sum + scope.length, 0)
  return count === meant.size ? whole.map(({ name }) => name) : []
}

/** The query with the names of rooms, centers and computers that it has by their ids, for people, as far as they reach. */
export const namedPlaces = (where: string, { scopes, rights }: Pick<Names, 'scopes' | 'rights'>): string =>
  where.replace(/(?<![\w"])(room|center|computer)_id:(\d{1,15})(?![\w."])/g, (term, type: string, id) => {
    const node = findNode(scopes, { type, id: Number(id) })
    const isHidden = rights.isLimited && node && !addressesIn(node).some(ip => rights.hasClient(ip))
    if (!node || isHidden) return term
    return `${type === 'computer' ? 'name' : type}:"${node.name}"`
  })

interface Found {
  places: Place[]
  /** Ids. */
  without: number[]
}

/**
 * Of a query that names nothing but rooms and centers by their ids, and computers that are left out: `room_id:1`,
 * `(room_id:1 or room_id:2) -computer_id:12`; undefined for any other.
 */
function placesIn(where: string): Found | undefined {
  try {
    const [first, ...others] = conditionsOf(parseQuery(where))
    const isList = first && (isTerm(first) || ('or' in first && first.or.every(isTerm)))
    const places = isList ? termsOf(first).map(placeOf) : []
    const without = others.map(leftOutBy)
    if (places.length === 0 || !places.every(isKnown) || !without.every(isKnown)) return undefined
    return { places, without }
  } catch (error) {
    if (error instanceof QueryError) return undefined
    throw error
  }
}

const conditionsOf = (query: Query): Query[] => ('and' in query ? query.and.flatMap(conditionsOf) : [query])

const isKnown = <Value>(value: Value | undefined): value is Value => value !== undefined

const leftOutBy = (query: Query): number | undefined =>
  'not' in query && isTerm(query.not) && query.not.field === 'computer_id' ? Number(query.not.value) : undefined

const isTerm = (query: Query): query is Term => 'at' in query

function placeOf({ field, value }: Term): Place | undefined {
  const [, type] = /^(room|center)_id$/.exec(field ?? '') ?? []
  if (!/^\d{1,15}$/.test(value)) return undefined
  return type === 'room' || type === 'center' ? { type, id: Number(value) } : undefined
}
