// The events of lists whose records have none of their own.
import type { ChangedList } from '../contract/fleet-events.ts'
import type { FleetEvent } from '../system/events.ts'

const lists: readonly string[] = ['centers', 'rooms', 'repositories', 'procedures', 'tasks'] satisfies ChangedList[]

const isList = (group: string): group is ChangedList => lists.includes(group)

const groupOf = (method: string) => method.split('.')[0] ?? ''

/** Whether a write of this name changes one of the lists. */
export const isListWrite = (method: string): boolean => isList(groupOf(method))

/** A new id, a word, or what was deleted with a record; all else says that nothing was changed. */
const isChange = (result: unknown) =>
  typeof result === 'number' || result === 'updated' || result === 'deleted' || Array.isArray(result)

export const listChanged = (method: string, result: unknown): FleetEvent[] =>
  isChange(result) ? ofLists([groupOf(method)]) : []

/** One event for each list among these collections. */
export const ofLists = (collections: readonly string[]): FleetEvent[] =>
  [...new Set(collections)].filter(isList).map(list => ({ type: 'list-changed', list }))
