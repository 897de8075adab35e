// The events that writes of the store emit.
import type { DocumentKey, Store } from '../../stores/store.ts'
import type { FleetEvent } from '../system/events.ts'
import { historyCollection, historyEvents } from './inventory-history.ts'
import { isListWrite, listChanged } from './list-events.ts'
import { computersMerged, computersRemoved, located, scheduleAdded, tasksFollow } from './record-events.ts'
import { undoneEvents } from './undone-events.ts'

/** `group.method`, or the method of the store itself. */
export type MethodName = {
  [Group in keyof Store]: Store[Group] extends (...args: never) => unknown
    ? Group
    : `${Group}.${keyof Store[Group] & string}`
}[keyof Store]

type Method<Name> = Name extends `${infer Group extends keyof Store}.${infer Key}`
  ? Store[Group][Key & keyof Store[Group]]
  : Store[Name & keyof Store]

type ToEvents<Name> =
  Method<Name> extends (...args: infer Args) => Promise<infer Result>
    ? (result: Result, ...args: Args) => FleetEvent | FleetEvent[] | undefined
    : never

/** Of each write the types of its events, and its events by its result and arguments; undefined when it changed nothing. */
type EventTable = {
  [Name in MethodName]?: readonly [types: FleetEvent['type'] | readonly FleetEvent['type'][], ToEvents<Name>]
}

const eventTable: EventTable = {
  'centers.delete': ['computer-removed', computersRemoved],
  'repositories.add': [
    'repository-changed',
    (id, { slots = 0 }) => (id !== undefined && slots > 0 ? { type: 'repository-changed', repository: id } : undefined),
  ],
  'repositories.update': [
    'repository-changed',
    (outcome, { id, ip, slots }) =>
      outcome === 'updated' && (ip !== undefined || slots !== undefined)
        ? { type: 'repository-changed', repository: id }
        : undefined,
  ],
  'groups.add': [
    'group-added',
    (group, { name }) => (group === undefined ? undefined : { type: 'group-added', group, name }),
  ],
  'groups.update': [
    'group-changed',
    (outcome, { id, name }) => (outcome === 'updated' ? { type: 'group-changed', group: id, name } : undefined),
  ],
  'groups.delete': ['group-removed', group => group && { type: 'group-removed', group: group.id, name: group.name }],
  'rooms.update': [
    'room-changed',
    (outcome, { id }) => (outcome === 'updated' ? { type: 'room-changed', room: id } : undefined),
  ],
  'rooms.delete': ['computer-removed', computersRemoved],
  'computers.add': [
    'computer-added',
    (conflicts, computers) =>
      conflicts.length > 0 ? undefined : { type: 'computer-added', computers: computers.map(located) },
  ],
  'computers.update': [
    ['computer-changed', 'list-changed'],
    (outcome, addrs, { ip, room }) =>
      outcome === 'updated'
        ? [{ type: 'computer-changed', addrs, ip, room }, ...(ip === undefined ? [] : [tasksFollow])]
        : undefined,
  ],
  'computers.merge': [
    ['computer-changed', 'computer-removed', 'computer-added', 'list-changed'],
    ({ conflicts, before }, rows) => (conflicts.length > 0 ? undefined : computersMerged(before, rows)),
  ],
  'computers.delete': ['computer-removed', computersRemoved],
  'images.add': [
    'image-added',
    (image, { name }) => (image === undefined ? undefined : { type: 'image-added', image, name }),
  ],
  'images.setOwner': ['image-changed', (exists, id) => (exists ? { type: 'image-changed', image: id } : undefined)],
  'images.delete': ['image-removed', image => image && { type: 'image-removed', image: image.id, name: image.name }],
  'images.recordCreate': ['image-changed', (_stored, _ip, image) => ({ type: 'image-changed', image: image.id })],
  'schedules.add': ['schedule-added', scheduleAdded],
  'schedules.addScheduledCommand': ['schedule-added', (schedule, _command, row) => scheduleAdded(schedule, row)],
  'schedules.addPlannedRestore': [
    'schedule-added',
    (added, { schedule }) =>
      typeof added === 'object' && schedule ? scheduleAdded(added.schedule, schedule) : undefined,
  ],
  'schedules.update': [
    'schedule-changed',
    (exists, { id, name, by }) => (exists ? { type: 'schedule-changed', schedule: id, name, maker: by } : undefined),
  ],
  'schedules.delete': [
    'schedule-removed',
    (existed, id) => (existed ? { type: 'schedule-removed', schedule: id } : undefined),
  ],
  'documents.put': [
    ['packs-changed', 'inventory-changed'],
    (result, document) => (typeof result === 'number' ? documentStored(document) : undefined),
  ],
  'documents.delete': ['packs-changed', (existed, key) => (existed ? packsChanged(key) : undefined)],
  ...accountEvents('token'),
  ...accountEvents('user'),
  'undo.apply': [
    [
      ...(['computer-changed', 'computer-removed', 'computer-added', 'image-added', 'group-added'] as const),
      ...(['schedule-added', 'repository-changed', 'account-added', 'list-changed'] as const),
      ...(['room-changed', 'schedule-changed'] as const),
    ],
    undone => (undone && 'item' in undone ? undoneEvents(undone) : undefined),
  ],
}

/** `accounts-changed` also when nothing was changed: that is rare, and costs a read. */
function accountEvents<Kind extends 'token' | 'user'>(kind: Kind) {
  const changed = { type: 'accounts-changed' } as const
  const add: ToEvents<'users.add'> = (account, { name }) =>
    typeof account === 'number' ? [changed, { type: 'account-added', kind, account, name }] : changed
  const update: ToEvents<'users.update'> = (outcome, account, { name }) =>
    outcome === 'updated' ? [changed, { type: 'account-changed', kind, account, ...(name && { name }) }] : changed
  const remove: ToEvents<'users.delete'> = account =>
    account ? [changed, { type: 'account-removed', kind, account: account.id, name: account.name }] : changed
  return {
    [`${kind}s.add`]: ['account-added', add],
    [`${kind}s.update`]: ['account-changed', update],
    [`${kind}s.delete`]: ['account-removed', remove],
    // `as`: the methods of tokens have the values of those of users, and more.
  } as EventTable
}

/** What administrators have decided about packs is a collection of the daemon's own. */
function packsChanged({ pack, collection }: DocumentKey): FleetEvent | undefined {
  return pack === '' && collection === 'settings' ? { type: 'packs-changed' } : undefined
}

function documentStored({ value, ...key }: DocumentKey & { value: string }): FleetEvent | FleetEvent[] | undefined {
  const isHistory = key.pack === historyCollection.pack && key.collection === historyCollection.collection
  return isHistory ? historyEvents(value) : packsChanged(key)
}

type AnyEntry = readonly [
  types: string | readonly string[],
  toEvents: (result: unknown, ...args: unknown[]) => ReturnType<ToEvents<'users.add'>>,
]

/** `method` as in `MethodName`. `as`: it is only known as text; the parameters of its entry are those of the method. */
const entryOf = (method: string) => (eventTable as Record<string, AnyEntry | undefined>)[method]

/** The types of the events that a write may have. */
export const typesOfWrite = (method: string): readonly string[] => [
  ...[entryOf(method)?.[0] ?? []].flat(),
  ...(isListWrite(method) ? ['list-changed'] : []),
]

/** The events of a write that has succeeded. */
export const storeEvents = (method: string, result: unknown, args: unknown[]): FleetEvent[] => [
  ...[entryOf(method)?.[1](result, ...args) ?? []].flat(),
  ...listChanged(method, result),
]

/** Of all writes: those that `Store.storedEvents` can record. */
export const storedTypes: ReadonlySet<string> = new Set([
  'job-finished',
  'list-changed',
  ...Object.keys(eventTable).flatMap(typesOfWrite),
])
