// What a transaction has deleted, added and changed of what can be taken back.
import { codecOf, isRecordName } from '../records/all-records.ts'
import {
  type InternedName,
  isEdited,
  isInterned,
  type Kept,
  keptNames,
  mapIds,
  type UndoRows,
} from '../rules/undo/kept-entries.ts'
import { addressesOf } from '../rules/undo/list-owners.ts'
import { compareRecords, type EditedRecord } from '../rules/undo/value-changes.ts'
import type { Entry } from '../store.ts'
import {
  internName,
  internProfile,
  readProfile,
  toHardwareItems,
  toHardwareTexts,
  toSoftware,
  toSoftwareTexts,
} from './profiles.ts'
import type { Partitions, Row, TableName } from './tables/row-types.ts'
import type { Tables } from './tables/tables.ts'
import type { Transaction } from './tables/transaction.ts'

/** A row before and after all changes of a transaction. */
interface Touched {
  name: TableName
  before: Row | undefined
  after: Row | undefined
}

/** To be called before the lists and names are deleted that nothing names any more. */
export function collectRows(tables: Tables, transaction: Transaction): Kept {
  const touched = touchedRows(tables, transaction)
  const removed = touched.flatMap(({ name, before, after }) => (before && !after ? [toEntry(name, before)] : []))
  const added = touched.flatMap(({ name, before, after }) => (name === 'computers' && after && !before ? after : []))
  const { changes, ...edits } = compareRecords(touched.flatMap(toEdited))
  const rows = {
    ...{ removed, ...edits, copies: lostCopies(touched, removed), added: added.map(({ id }) => id) },
    lists: transaction.formerLists,
    owners: addressesOf(removed, edits.edited).flatMap((ip): [string, number][] => {
      const id = tables.all.computers.idOf(ip)
      return id === undefined ? [] : [[ip, id]]
    }),
  }
  return {
    rows: { ...rows, removed: [...internedOf(tables, rows), ...removed] },
    changes,
    firstName: (added[0] && tables.all.computers.get(added[0].id)?.name) ?? changes[0]?.name ?? '',
  }
}

function toEdited({ name, before, after }: Touched): EditedRecord[] {
  if (!before || !after || !(isEdited(name) || name === 'computers')) return []
  return [{ collection: name, before: codecOf(name).read(before), after: codecOf(name).read(after) }]
}

function touchedRows({ all }: Tables, { changes, before }: Transaction): Touched[] {
  const touched = new Map<string, Touched>()
  for (const [at, [name, row]] of changes.entries()) {
    if (!keptNames.has(name)) continue
    const id = typeof row === 'number' ? row : row.id
    const key = `${name} ${id}`
    if (!touched.has(key)) touched.set(key, { name, before: before[at], after: all[name].get(id) })
  }
  return [...touched.values()]
}

function toEntry(name: TableName, row: Row): Entry {
  if (isRecordName(name)) return [name, codecOf(name).read(row)]
  // `as`: the only other table that is kept.
  return ['partitions', { id: row.id, rows: [...(row as Partitions).rows] }]
}

function lostCopies(touched: Touched[], removed: Entry[]): UndoRows['copies'] {
  const images = new Set(removed.flatMap(([name, row]) => (name === 'images' && typeof row !== 'number' ? row.id : [])))
  return touched.flatMap(({ name, before, after }) => {
    if (name !== 'partitions' || !before || !after) return []
    // `as`: rows of this table.
    const lost = (before as Partitions).rows.filter(({ image }) => images.has(image))
    return lost.map(({ disk, partition, image, image_version: version = 0, image_since: since = 0 }) => {
      return { computer: before.id, disk, partition, image, version, since }
    })
  })
}

function internedOf(tables: Tables, rows: Pick<UndoRows, 'removed' | 'changed'>): Entry[] {
  const entries = new Map<string, Entry>()
  mapIds(rows, (name, id) => {
    const entry = isInterned(name) ? readInterned(tables, name, id) : undefined
    if (entry) entries.set(`${name} ${id}`, entry)
    return id
  })
  return [...entries.values()]
}

/** Undefined when there is none: callers may name lists that do not exist. */
function readInterned(tables: Tables, name: InternedName, id: number): Entry | undefined {
  const row = tables.all[name].get(id)
  if (!row) return undefined
  if (name === 'software') return [name, { id, ...toSoftware(readProfile(tables, name, id)) }]
  if (name === 'hardware') return [name, { id, items: toHardwareItems(readProfile(tables, name, id)) }]
  return 'name' in row ? [name, { id, name: row.name }] : undefined
}

/** The id under which the store has a list or name, now or again. */
export function internEntry(tables: Tables, transaction: Transaction, [name, row]: Entry): number | undefined {
  if (typeof row === 'number') return undefined
  const { id } = row
  if (name === 'software' && 'programs' in row)
    return internProfile(tables, transaction, name, toSoftwareTexts(row), id)
  if (name === 'hardware' && 'items' in row)
    return internProfile(tables, transaction, name, toHardwareTexts(row.items), id)
  if ((name === 'systems' || name === 'filesystems') && 'name' in row)
    return internName(tables, transaction, name, row.name, id)
  return undefined
}
