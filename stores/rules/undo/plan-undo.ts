// What taking a change back does now, and why it cannot be done: the same for every engine.
import type { RecordName } from '../../records/all-records.ts'
import type { Computer, ComputerChange, Entry } from '../../types.ts'
import type { Renamed, UndoConflict, UndoOptions } from '../../undo-methods.ts'
import { constraints, withFreeNames } from './free-names.ts'
import { type EditedName, isInterned, kindOf, mapIds, type Row, rowOf, type UndoRows } from './kept-entries.ts'
import { withPresentAddresses } from './list-owners.ts'
import { findPlannedTwice } from './planned-twice.ts'
import {
  conflict,
  createTakenBy,
  findChangeConflict,
  findIdleSchedule,
  findLoop,
  findRecordConflict,
  type Restored,
  type RowsOf,
  stepLists,
} from './undo-conflicts.ts'

/** A record that gets former values: as it is then, and these values. */
export interface Edited {
  collection: EditedName
  row: Row
  change: Row
}

/** To be done in this sequence, after the lists and names are there. */
export interface UndoActions {
  /** The ids of computers. */
  deleted: number[]
  restored: Entry[]
  changes: ComputerChange[]
  edited: Edited[]
  copies: UndoRows['copies']
  lists: UndoRows['lists']
  renamed: Renamed[]
}

/** The collections that `planUndo` reads. */
export function readCollections({ removed, changed, edited, added, owners }: UndoRows): RecordName[] {
  const names = new Set<RecordName>(changed.length + added.length > 0 ? ['computers', 'rooms', 'repositories'] : [])
  if (owners.length > 0) names.add('computers')
  for (const [name] of [...removed, ...edited]) {
    // `as`: other names have no constraints.
    const key = name as RecordName
    for (const each of [key, ...Object.values(constraints[key]?.parents ?? {})]) if (kindOf.has(each)) names.add(each)
    if (isStepList(name) || name === 'schedules') for (const each of stepLists) names.add(each)
    if (name === 'partitions') names.add('images')
  }
  return [...names]
}

const isStepList = (name: string): name is (typeof stepLists)[number] => stepLists.some(each => each === name)

/** Or why it cannot be done. `rowsOf` has what is there now, of `readCollections`. */
export function planUndo(kept: UndoRows, rowsOf: RowsOf, options: UndoOptions = {}): UndoActions | UndoConflict {
  const { check, account, hasClient } = options
  const rows = kept.owners.length === 0 ? kept : withPresentAddresses(kept, rowsOf('computers'))
  const edits = readEdits(rows, rowsOf, account)
  const isOther = ({ id }: Row, name: string) => !edits.some(each => each.collection === name && each.row.id === id)
  const othersOf = cached((name: RecordName) => rowsOf(name).filter(row => isOther(row, name)))
  const { entries, renamed } = withFreeNames(
    [
      ...rows.removed.filter(([name]) => !isInterned(name)),
      ...edits.map(({ collection, row }) => entryOf(collection, row)),
    ],
    othersOf,
  )
  const takenBy = createTakenBy(othersOf, hasClient)
  const own = groupByName(entries)
  const idsOf = cached((name: RecordName) => {
    return new Set([...othersOf(name), ...(own.get(name) ?? []).map(rowOf)].map(({ id }) => id))
  })
  const changes = rows.changed.filter(({ id }) => idsOf('computers').has(id))
  const isEdit = rows.edited.length + rows.changed.length > 0
  if (isEdit && entries.length + changes.length + rows.added.length === 0)
    return conflict('what was edited is deleted: take its deletion back before', { code: 'undo-deleted' })
  const found =
    check?.([...entries, ...changedComputers(changes, rowsOf)]) ??
    findRecordConflict(own, othersOf, idsOf, takenBy) ??
    findLoop(own, othersOf) ??
    findIdleSchedule(own, idsOf) ??
    findPlannedTwice(name => (own.get(name) ?? []).map(rowOf), othersOf) ??
    findChangeConflict({ ...rows, changed: changes }, othersOf, idsOf, takenBy)
  if (found) return found
  const map = (name: string, id: number) => (name !== 'images' || idsOf('images').has(id) ? id : 0)
  const count = entries.length - edits.length
  const mapped = mapIds({ removed: entries.slice(0, count), changed: [] }, map)
  const edited = edits.map((edit, at) =>
    withName(edit, rowOf(entries[count + at] ?? entryOf(edit.collection, edit.row))),
  )
  const { added: deleted, copies, lists } = rows
  return { deleted, restored: mapped.removed, changes, edited, copies, lists, renamed }
}

// `as`: the row of a record of this collection.
export const entryOf = (collection: EditedName, row: Row) => [collection, row] as unknown as Entry

/** Of those that are still there. */
function readEdits({ edited }: UndoRows, rowsOf: RowsOf, account: string | undefined): Edited[] {
  return edited.flatMap(([collection, former]) => {
    const row = rowsOf(collection).find(({ id }) => id === former.id)
    const isAnswered = collection === 'schedules' && account !== undefined
    const change = { ...former, ...(isAnswered && { by: account }) }
    return row ? [{ collection, change, row: withoutNull({ ...row, ...change }) }] : []
  })
}

const withName = ({ collection, change }: Edited, row: Row): Edited => ({
  collection,
  row,
  change: 'name' in change ? { ...change, name: row.name } : change,
})

/** As they are and as they would be. */
function changedComputers(changes: readonly ComputerChange[], rowsOf: RowsOf): Entry[] {
  if (changes.length === 0) return []
  const rows = new Map(rowsOf('computers').map(row => [row.id, row]))
  return changes.flatMap(change => {
    const row = rows.get(change.id)
    // `as`: rows of computers.
    return row ? [row, { ...row, ...change }].map((each): Entry => ['computers', each as unknown as Computer]) : []
  })
}

const withoutNull = (row: Row): Row =>
  // `as`: the id stays.
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Row

function groupByName(entries: Entry[]): Restored {
  const groups = new Map<string, Entry[]>()
  for (const entry of entries) if (!groups.get(entry[0])?.push(entry)) groups.set(entry[0], [entry])
  return groups
}

function cached<Key, Value>(read: (key: Key) => Value): (key: Key) => Value {
  const values = new Map<Key, Value>()
  return key => {
    const value = values.get(key) ?? read(key)
    values.set(key, value)
    return value
  }
}
