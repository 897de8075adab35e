// The events that writes of the store emit.
import type { Computer, ComputerChange, New, Store } from '../../stores/store.ts'
import type { FleetEvent } from '../system/events.ts'

/** `group.method`, or the method of the store itself. */
export type MethodName = {
  [Group in keyof Store]: Store[Group] extends (...args: never) => unknown
    ? Group
    : `${Group}.${keyof Store[Group] & string}`
}[keyof Store]

type Method<Name> = Name extends `${infer Group extends keyof Store}.${infer Key}`
  ? Store[Group][Key & keyof Store[Group]]
  : Store[Name & keyof Store]

/** The event of each write, or its events, by its result and arguments; undefined when the write changed nothing. */
type EventTable = {
  [Name in MethodName]?: Method<Name> extends (...args: infer Args) => Promise<infer Result>
    ? (result: Result, ...args: Args) => FleetEvent | FleetEvent[] | undefined
    : never
}

const eventTable: EventTable = {
  'centers.delete': computersRemoved,
  'repositories.add': (id, { slots = 0 }) =>
    id !== undefined && slots > 0 ? { type: 'repository-changed', repository: id } : undefined,
  'repositories.update': (outcome, { id, ip, slots }) =>
    outcome === 'updated' && (ip !== undefined || slots !== undefined)
      ? { type: 'repository-changed', repository: id }
      : undefined,
  'rooms.update': (outcome, { id }) => (outcome === 'updated' ? { type: 'room-changed', room: id } : undefined),
  'rooms.delete': computersRemoved,
  'computers.add': (conflicts, computers) =>
    conflicts.length > 0 ? undefined : { type: 'computer-added', computers: computers.map(located) },
  'computers.update': (outcome, addrs, { ip, room }) =>
    outcome === 'updated' ? { type: 'computer-changed', addrs, ip, room } : undefined,
  'computers.merge': ({ conflicts, before }, rows) =>
    conflicts.length > 0 ? undefined : computersMerged(before, rows),
  'computers.delete': computersRemoved,
  'images.add': (image, { name }) => (image === undefined ? undefined : { type: 'image-added', image, name }),
  'images.setOwner': (exists, id) => (exists ? { type: 'image-changed', image: id } : undefined),
  'images.delete': image => image && { type: 'image-removed', image: image.id, name: image.name },
  'images.recordCreate': (_stored, _ip, image) => ({ type: 'image-changed', image: image.id }),
  'schedules.add': scheduleAdded,
  'schedules.addScheduledCommand': (schedule, _command, row) => scheduleAdded(schedule, row),
  'schedules.addPlannedRestore': (added, { schedule }) =>
    typeof added === 'object' && schedule ? scheduleAdded(added.schedule, schedule) : undefined,
  'schedules.update': (exists, { id, name, by }) =>
    exists ? { type: 'schedule-changed', schedule: id, name, maker: by } : undefined,
  'tokens.add': accountsChanged,
  'tokens.update': accountsChanged,
  'tokens.delete': accountsChanged,
  'users.add': accountsChanged,
  'users.update': accountsChanged,
  'users.delete': accountsChanged,
  'schedules.delete': (existed, id) => (existed ? { type: 'schedule-removed', schedule: id } : undefined),
}

/** Also when nothing was changed: that is rare, and costs a read. */
function accountsChanged(): FleetEvent {
  return { type: 'accounts-changed' }
}

function scheduleAdded(schedule: number, { name, by }: { name: string; by: string }): FleetEvent {
  return { type: 'schedule-added', schedule, name, maker: by }
}

interface LocatedComputer {
  ip: string
  room: number
}

const located = ({ ip, room }: LocatedComputer): LocatedComputer => ({ ip, room })

function computersRemoved(computers: LocatedComputer[] = []): FleetEvent | undefined {
  return computers.length === 0 ? undefined : { type: 'computer-removed', computers: computers.map(located) }
}

/**
 * A computer with a new address is removed and added: computers may have exchanged their addresses. One event for each
 * pair of rooms that others have moved between, and one for those that stay in theirs.
 */
function computersMerged(before: Computer[], rows: (New<Computer> | ComputerChange)[]): FleetEvent[] {
  const changes = rows.filter(row => 'id' in row)
  const added = rows.flatMap(row => ('id' in row ? [] : located(row)))
  const removed: LocatedComputer[] = []
  const moves = new Map<string, { room: number | undefined; addrs: string[] }>()
  for (const [index, computer] of before.entries()) {
    const { ip = computer.ip, room = computer.room } = changes[index] ?? {}
    if (ip !== computer.ip) {
      removed.push(located(computer))
      added.push({ ip, room })
      continue
    }
    const newRoom = room === computer.room ? undefined : room
    const key = newRoom === undefined ? '' : `${computer.room} ${newRoom}`
    const move = moves.get(key)
    if (move) move.addrs.push(ip)
    else moves.set(key, { room: newRoom, addrs: [ip] })
  }
  const events: FleetEvent[] = Array.from(moves.values(), ({ room, addrs }) => ({
    type: 'computer-changed',
    addrs,
    room,
  }))
  if (removed.length > 0) events.push({ type: 'computer-removed', computers: removed })
  if (added.length > 0) events.push({ type: 'computer-added', computers: added })
  return events
}

type ToEvents = (result: unknown, ...args: unknown[]) => FleetEvent | FleetEvent[] | undefined

/** The events of a write that has succeeded; `method` as in `MethodName`. */
export function storeEvents(method: string, result: unknown, args: unknown[]): FleetEvent[] {
  // `as`: `method` is only known as text here; its entry's parameters are those of the method that was called.
  const events = (eventTable as Record<string, ToEvents | undefined>)[method]?.(result, ...args)
  return events === undefined ? [] : [events].flat()
}
