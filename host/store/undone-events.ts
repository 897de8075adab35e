// The events of a deletion, an edit or an import that was taken back.
import type { Collections, Entry, Undone } from '../../stores/store.ts'
import type { FleetEvent } from '../system/events.ts'
import { ofLists } from './list-events.ts'
import { computersMerged, computersRemoved, located, scheduleAdded } from './record-events.ts'

/** Of records that are there again, by their collection; those of computers are in one event. */
const eventsOf: { readonly [Name in keyof Collections]?: (row: Collections[Name]) => FleetEvent[] } = {
  images: ({ id, name }) => [{ type: 'image-added', image: id, name }],
  groups: ({ id, name }) => [{ type: 'group-added', group: id, name }],
  repositories: ({ id }) => [{ type: 'repository-changed', repository: id }],
  schedules: row => [scheduleAdded(row.id, row)],
  tokens: row => accountAdded('token', row),
  users: row => accountAdded('user', row),
}

/** Of records that have former values. */
const eventsOfEdits: typeof eventsOf = {
  rooms: ({ id }) => [{ type: 'room-changed', room: id }],
  schedules: ({ id, name, by }) => [{ type: 'schedule-changed', schedule: id, name, maker: by }],
}

const accountAdded = (kind: 'token' | 'user', { id, name }: { id: number; name: string }): FleetEvent[] => [
  { type: 'accounts-changed' },
  { type: 'account-added', kind, account: id, name },
]

export function undoneEvents({ restored, deleted, before, changes, edited }: Undone): FleetEvent[] {
  const added = restored.flatMap(([, row]) => (row instanceof Object && 'mac' in row ? located(row) : []))
  const removed = computersRemoved(deleted)
  return [
    ...(removed ? [removed] : []),
    ...computersMerged(before, changes),
    ...(added.length > 0 ? [{ type: 'computer-added' as const, computers: added }] : []),
    ...restored.flatMap(entry => eventsOfEntry(eventsOf, entry)),
    ...edited.flatMap(entry => eventsOfEntry(eventsOfEdits, entry)),
    ...ofLists([...restored, ...edited].map(([name]) => name)),
  ]
}

function eventsOfEntry(table: typeof eventsOf, [name, row]: Entry): FleetEvent[] {
  // `as`: the row of an entry is one of its collection.
  const toEvents = table[name] as ((row: Entry[1]) => FleetEvent[]) | undefined
  return toEvents?.(row) ?? []
}
