// What taking a change back does now, and why it cannot be done: the same for every engine.
import type { RecordName } from '../../records/all-records.ts'
import type { Computer, ComputerChange, Entry, Procedure } from '../../types.ts'
import type { Renamed, UndoOptions } from '../../undo-methods.ts'
import { findMergeConflicts } from '../computer-conflicts.ts'
import { leadsTo, type NamedStep } from '../steps.ts'
import { constraints, withFreeNames } from './free-names.ts'
import { type EditedName, isInterned, kindOf, mapIds, type Row, rowOf, type UndoRows } from './kept-entries.ts'
import { withPresentAddresses } from './list-owners.ts'
import { findPlannedTwice } from './planned-twice.ts'

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

type RowsOf = (name: RecordName) => readonly Row[]

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

const stepLists = ['procedures', 'tasks'] as const
const isStepList = (name: string): name is (typeof stepLists)[number] => stepLists.some(each => each === name)

/** Why it cannot be done, as a text. `rowsOf` has what is there now, of `readCollections`. */
export function planUndo(kept: UndoRows, rowsOf: RowsOf, options: UndoOptions = {}): UndoActions | string {
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
    return 'what was edited is deleted: take its deletion back before'
  const conflict =
    check?.([...entries, ...changedComputers(changes, rowsOf)]) ??
    findRecordConflict(own, othersOf, idsOf, takenBy) ??
    findLoop(own, othersOf) ??
    findIdleSchedule(own, idsOf) ??
    findPlannedTwice(name => (own.get(name) ?? []).map(rowOf), othersOf) ??
    findChangeConflict({ ...rows, changed: changes }, othersOf, idsOf, takenBy)
  if (conflict !== undefined) return conflict
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

type Restored = ReadonlyMap<string, Entry[]>
type IdsOf = (name: RecordName) => ReadonlySet<number>

function findRecordConflict(restored: Restored, rowsOf: RowsOf, idsOf: IdsOf, takenBy: TakenBy): string | undefined {
  for (const [name, { unique, parents = {} }] of Object.entries(constraints)) {
    const entries = restored.get(name) ?? []
    if (entries.length === 0) continue
    const keyOf = (row: Row) => JSON.stringify(unique.map(key => row[key]))
    // `as`: the keys of the constraints.
    const owners = new Map(rowsOf(name as RecordName).map(row => [keyOf(row), row]))
    for (const row of entries.map(rowOf)) {
      const what = `${kindOf.get(name)} ${row.name}`
      const owner = owners.get(keyOf(row))
      if (owner && name === 'computers') return `${what}: ${takenBy(owner)}`
      if (owner) return `${what}: another one has this name now`
      const missing = Object.entries(parents).find(([key, parent]) => !idsOf(parent).has(Number(row[key])))
      if (missing) return `${what}: there is no ${kindOf.get(missing[1])} ${row[missing[0]]} any more`
    }
  }
  return undefined
}

/** A schedule of a command is deleted, and kept, with its command. */
function findIdleSchedule(restored: Restored, idsOf: IdsOf): string | undefined {
  for (const { type, task, name } of (restored.get('schedules') ?? []).map(rowOf)) {
    if (type === 'command' || idsOf(`${type}s` as 'tasks').has(Number(task))) continue
    return `schedule ${name}: there is no ${type} ${task} any more`
  }
  return undefined
}

function findChangeConflict(
  { changed, added }: UndoRows,
  rowsOf: RowsOf,
  idsOf: IdsOf,
  takenBy: TakenBy,
): string | undefined {
  if (changed.length === 0) return undefined
  const rows = rowsOf('computers').filter(({ id }) => !added.includes(id))
  const computers = new Map(rows.map(row => [row.id, row]))
  const addresses = new Set(rows.map(({ ip }) => ip))
  const [conflict] = findMergeConflicts(changed, {
    computer: id => {
      const row = computers.get(id)
      return row && { ip: String(row.ip) }
    },
    hasAddress: ip => addresses.has(ip),
    hasRoom: id => idsOf('rooms').has(id),
    hasRepository: id => idsOf('repositories').has(id),
  })
  const change = changed[conflict?.index ?? 0]
  const owner = conflict?.reason === 'address taken' ? rows.find(({ ip }) => ip === change?.ip) : undefined
  const reason = owner ? takenBy(owner) : conflict?.reason
  return conflict && `computer ${computers.get(change?.id ?? 0)?.name}: ${reason}`
}

type TakenBy = (owner: Row) => string

const createTakenBy =
  (rowsOf: RowsOf, hasClient: UndoOptions['hasClient'] = () => true): TakenBy =>
  ({ ip, name, room }) => {
    if (!hasClient(String(ip))) return 'address taken'
    const where = rowsOf('rooms').find(({ id }) => id === room)
    return `${ip} is the address of ${name}${where ? ` in room ${where.name}` : ''} now`
  }

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

/** What others named while it was gone may have got steps since. */
function findLoop(restored: Restored, rowsOf: RowsOf): string | undefined {
  const lists = new Map<string, Pick<Procedure, 'steps'>>()
  const own = stepLists.flatMap(name => (restored.get(name) ?? []).map(entry => ({ name, row: rowOf(entry) })))
  if (own.length === 0) return undefined
  const all = [...stepLists.flatMap(name => rowsOf(name).map(row => ({ name, row }))), ...own]
  // `as`: rows of these collections.
  for (const { name, row } of all) lists.set(`${name} ${row.id}`, row as unknown as Pick<Procedure, 'steps'>)
  const find = (step: NamedStep) => lists.get('task' in step ? `tasks ${step.task}` : `procedures ${step.procedure}`)
  const loop = own.find(({ name, row: { id } }) => {
    const step = name === 'tasks' ? { task: id } : { procedure: id }
    return leadsTo(find(step)?.steps ?? [], step, find)
  })
  return loop && `${kindOf.get(loop.name)} ${loop.row.name}: its steps lead back to it now`
}
