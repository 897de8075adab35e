// The events that writes of the store emit.
import type { Store } from '../../stores/store.ts'
import type { FleetEvent } from './events.ts'

/** `group.method`, or the method of the store itself. */
export type MethodName = {
  [Group in keyof Store]: Store[Group] extends (...args: never) => unknown
    ? Group
    : `${Group}.${keyof Store[Group] & string}`
}[keyof Store]

type Method<Name> = Name extends `${infer Group extends keyof Store}.${infer Key}`
  ? Store[Group][Key & keyof Store[Group]]
  : Store[Name & keyof Store]

/** The event of each write, by its result and arguments; undefined when the write changed nothing. */
type EventTable = {
  [Name in MethodName]?: Method<Name> extends (...args: infer Args) => Promise<infer Result>
    ? (result: Result, ...args: Args) => FleetEvent | undefined
    : never
}

const eventTable: EventTable = {
  'centers.delete': computersRemoved,
  'rooms.delete': computersRemoved,
  'computers.add': (conflicts, computers) =>
    conflicts.length > 0 ? undefined : { type: 'computer-added', computers: computers.map(located) },
  'computers.update': (outcome, addrs, { ip, room }) =>
    outcome === 'updated' ? { type: 'computer-changed', addrs, ip, room } : undefined,
  'computers.delete': computersRemoved,
  'images.add': (image, { name }) => (image === undefined ? undefined : { type: 'image-added', image, name }),
  'images.delete': image => image && { type: 'image-removed', image: image.id, name: image.name },
  'images.recordCreate': (_stored, _ip, image) => ({ type: 'image-changed', image: image.id }),
  'schedules.add': (schedule, { name }) => ({ type: 'schedule-added', schedule, name }),
  'schedules.addScheduledCommand': (schedule, _command, { name }) => ({ type: 'schedule-added', schedule, name }),
  'schedules.update': (exists, { id, name }) => (exists ? { type: 'schedule-changed', schedule: id, name } : undefined),
  'schedules.delete': (existed, id) => (existed ? { type: 'schedule-removed', schedule: id } : undefined),
}

interface LocatedComputer {
  ip: string
  room: number
}

const located = ({ ip, room }: LocatedComputer): LocatedComputer => ({ ip, room })

function computersRemoved(computers: LocatedComputer[] = []): FleetEvent | undefined {
  return computers.length === 0 ? undefined : { type: 'computer-removed', computers: computers.map(located) }
}

type ToEvent = (result: unknown, ...args: unknown[]) => FleetEvent | undefined

/** The event of a write that has succeeded; `method` as in `MethodName`. */
export function storeEvent(method: string, result: unknown, args: unknown[]): FleetEvent | undefined {
  // `as`: `method` is only known as text here; its entry's parameters are those of the method that was called.
  return (eventTable as Record<string, ToEvent | undefined>)[method]?.(result, ...args)
}
