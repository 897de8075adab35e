// What is kept of a change that can be taken back: the same for every engine.
import type { RecordName } from '../../records/all-records.ts'
import type { Undo, ValueChange } from '../../records/undo-item.ts'
import type { ComputerChange, Entry, ImageCopy, New, Partition } from '../../types.ts'
import type { UndoNames, UndoNote } from '../../undo-methods.ts'
import { collectionOrder } from '../collection-order.ts'
import { lastFixedId, toFilesystemId, toFilesystemRow } from '../filesystem-names.ts'
import type { FormerList } from '../moved-addresses.ts'

/** A partition that had an image which is deleted, by the id of its computer. */
export type LostCopy = Omit<ImageCopy, 'ip'> & { computer: number }

/** The former values of a record of this collection, null for those that it lacked. */
export type FormerValues = readonly [collection: EditedName, former: Row]

export interface UndoRows {
  /** The lists and names that the others name, and what was deleted. */
  removed: Entry[]
  /** The former values of those keys that were changed. */
  changed: ComputerChange[]
  /** The same of other records. */
  edited: FormerValues[]
  copies: LostCopy[]
  /** The ids of computers. */
  added: number[]
  /** Of moved computers: these lists had their new addresses before. */
  lists: FormerList[]
  /** The addresses in deleted and former lists with the computers that had them. */
  owners: [ip: string, computer: number][]
}

/** Of one entry: a list of all edits stays short. */
export const mostChanges = 20

/** Tables of lists and names. */
export const internedNames = ['systems', 'filesystems', 'hardware', 'software'] as const
export type InternedName = (typeof internedNames)[number]

/** Whose former values are kept, apart from those of computers. */
export const editedNames = ['centers', 'rooms', 'procedures', 'tasks', 'schedules'] as const
export type EditedName = (typeof editedNames)[number]

export const isEdited = (name: string): name is EditedName => editedNames.some(each => each === name)

/** From the outermost one on. */
export const kinds: readonly (readonly [RecordName, string])[] = [
  ['centers', 'center'],
  ['rooms', 'room'],
  ['computers', 'computer'],
  ['images', 'image'],
  ['schedules', 'schedule'],
  ['tasks', 'task'],
  ['procedures', 'procedure'],
  ['groups', 'group'],
  ['repositories', 'repository'],
  ['tokens', 'token'],
  ['users', 'user'],
]
/** What a record of a collection is called; the others belong to these. */
export const kindOf: ReadonlyMap<string, string> = new Map<string, string>(kinds)

export type Row = Readonly<Record<string, unknown>> & { readonly id: number }

// `as`: rows of records, whose keys are looked up by name.
export const rowOf = ([, row]: Entry) => row as unknown as Row

/** The collections whose deleted rows are kept; of some, what is edited, and of computers what is added, too. */
export const keptNames: ReadonlySet<string> = new Set([...kindOf.keys(), 'partitions', 'errands'])

/** Without the keys that those of an earlier version lack. */
export function readRows(content: string): UndoRows {
  return { edited: [], lists: [], owners: [], ...JSON.parse(content) }
}

/** What a transaction has done, and what the engine knows about it. */
export interface Kept {
  rows: UndoRows
  changes: readonly ValueChange[]
  /** Of the first record that was added or else edited. */
  firstName: string
}

/** Undefined when nothing of it can be taken back. */
export function toUndo({ rows, changes, firstName }: Kept, note: UndoNote): New<Undo> | undefined {
  const { removed, changed, edited, added } = rows
  const counts: Record<string, number> = {}
  for (const [name] of removed) if (kindOf.has(name)) counts[name] = (counts[name] ?? 0) + 1
  const isDeletion = Object.keys(counts).length > 0
  if (added.length > 0) counts.added = added.length
  if (changed.length + edited.length > 0) counts.changed = changed.length + edited.length
  if (Object.keys(counts).length === 0) return undefined
  const { at, by, account, undone } = note
  if (undone !== undefined) counts.undone = undone
  const base = {
    ...{ at, by, account, counts },
    ...(changes.length > 0 && { changes: [...changes] }),
    content: toContent(rows),
  }
  if (!isDeletion && added.length === 0) return { ...base, ...describeEdit(rows), name: firstName }
  const [outermost, kind = 'import'] = kinds.find(([name]) => counts[name] !== undefined) ?? []
  const first = removed.find(([name]) => name === outermost)
  const [name, record] = first ? [String(rowOf(first).name), rowOf(first).id] : [firstName, 0]
  return { ...base, kind, record, name }
}

function describeEdit({ changed, edited }: UndoRows): Pick<Undo, 'kind' | 'record' | 'fields'> {
  const [collection, { id }] = edited[0] ?? ['computers', changed[0] ?? { id: 0 }]
  const keys = [...changed, ...edited.map(([, former]) => former)].flatMap(each => Object.keys(each))
  const fields = [...new Set(keys)].filter(key => key !== 'id')
  return { kind: kindOf.get(collection) ?? '', record: id, fields }
}

export const toContent = (rows: UndoRows): string =>
  JSON.stringify({
    ...rows,
    removed: rows.removed.toSorted(
      ([one, row], [other, next]) =>
        collectionOrder.indexOf(one) - collectionOrder.indexOf(other) || rowOf([one, row]).id - rowOf([other, next]).id,
    ),
  })

export function namesOf(content: string): UndoNames {
  const { removed, added, changed, edited } = readRows(content)
  const names = removed.flatMap(entry => {
    const kind = kindOf.get(entry[0])
    return kind === undefined ? [] : { kind, name: String(rowOf(entry).name) }
  })
  const former = [...changed.map(row => ['computers', row] as const), ...edited]
  const records = former.map(([name, { id, ...values }]) => {
    return { kind: kindOf.get(name) ?? '', record: id, keys: Object.keys(values) }
  })
  return { removed: names, added, edited: records }
}

/** The ids of the computers in the content of a row. */
export function removedComputers(content: string): number[] {
  const { removed } = readRows(content)
  return removed.flatMap(([name, row]) => (name === 'computers' && typeof row !== 'number' ? row.id : []))
}

/** A schedule that is there again does not run what was due meanwhile. */
export function withSince(entry: Entry, now: number): Entry {
  const [name, row] = entry
  return name === 'schedules' && typeof row !== 'number' && 'since' in row
    ? [name, { ...row, since: Math.max(row.since, now) }]
    : entry
}

type NamedTable = InternedName | 'images'

/** What the keys of records and partitions name that is kept only as long as something names it; and images. */
const named = {
  computers: { hardware_id: 'hardware' },
  images: { software_id: 'software' },
  partitions: { filesystem: 'filesystems', os: 'systems', image: 'images', software: 'software' },
} as const satisfies { readonly [name: string]: Readonly<Record<string, NamedTable>> }

type MapId = (name: NamedTable, id: number) => number

/** With other ids for what the rows name; 0 for what is gone. */
export function mapIds<Rows extends Pick<UndoRows, 'removed' | 'changed'>>(rows: Rows, map: MapId): Rows {
  // `as`: the keys stay the same.
  const toMapped = <Mapped>(keys: object, row: object) => mapRow(keys, row, map) as unknown as Mapped
  const removed = rows.removed.map((entry): Entry => {
    const [name, row] = entry
    if (typeof row === 'number') return entry
    if (name === 'computers' || name === 'images') return [name, toMapped(named[name], row)]
    if (name !== 'partitions' || !('rows' in row)) return entry
    return [name, { id: row.id, rows: row.rows.map(each => toMapped<Partition>(named.partitions, each)) }]
  })
  return { ...rows, removed, changed: rows.changed.map(row => toMapped<ComputerChange>(named.computers, row)) }
}

export const isInterned = (name: string): name is InternedName => internedNames.some(each => each === name)

function mapRow(keys: object, row: object, map: MapId): object {
  const mapped: Record<string, unknown> = { ...row }
  for (const [key, name] of Object.entries(keys)) {
    const id = Number(mapped[key] ?? 0)
    if (name !== 'filesystems' && id > 0) mapped[key] = map(name, id)
    else if (name === 'filesystems' && id > lastFixedId) mapped[key] = toFilesystemId(map(name, toFilesystemRow(id)))
  }
  if (mapped.image === 0) {
    delete mapped.image_version
    delete mapped.image_since
  }
  return mapped
}
