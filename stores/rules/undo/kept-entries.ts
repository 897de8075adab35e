// What is kept of a change that can be taken back: the same for every engine.
import type { RecordName } from '../../records/all-records.ts'
import type { Undo, UndoItem } from '../../records/undo-item.ts'
import type { Computer, ComputerChange, Entry, ImageCopy, New, Partition } from '../../types.ts'
import { collectionOrder } from '../collection-order.ts'
import { lastFixedId, toFilesystemId, toFilesystemRow } from '../filesystem-names.ts'

/** A partition that had an image which is deleted, by the id of its computer. */
export type LostCopy = Omit<ImageCopy, 'ip'> & { computer: number }

export interface UndoRows {
  /** The lists and names that the others name, and what was deleted. */
  removed: Entry[]
  /** The former values of those keys that were changed. */
  changed: ComputerChange[]
  copies: LostCopy[]
  /** The ids of computers. */
  added: number[]
}

/** Tables of lists and names. */
export const internedNames = ['systems', 'filesystems', 'hardware', 'software'] as const
export type InternedName = (typeof internedNames)[number]

/** From the outermost one on. */
const kinds: readonly (readonly [RecordName, string])[] = [
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

/** The collections whose rows are kept when they are deleted; of computers, what is added and changed, too. */
export const keptNames: ReadonlySet<string> = new Set([...kindOf.keys(), 'partitions', 'errands'])

/** Undefined when nothing of it can be taken back. `firstAdded` is the name of a computer. */
export function toUndo(
  rows: UndoRows,
  note: Pick<UndoItem, 'at' | 'by' | 'account'>,
  firstAdded = '',
): New<Undo> | undefined {
  const { removed, changed, added } = rows
  const counts: Record<string, number> = {}
  for (const [name] of removed) if (kindOf.has(name)) counts[name] = (counts[name] ?? 0) + 1
  if (added.length > 0) counts.added = added.length
  if (changed.length > 0) counts.changed = changed.length
  if (Object.keys(counts).length === 0) return undefined
  const [outermost, kind = 'import'] = kinds.find(([name]) => counts[name] !== undefined) ?? []
  const first = removed.find(([name]) => name === outermost)
  const [name, record] = first ? [String(rowOf(first).name), rowOf(first).id] : [firstAdded, 0]
  return { ...note, kind, record, name, counts, content: JSON.stringify(inOrder(rows)) }
}

const inOrder = (rows: UndoRows): UndoRows => ({
  ...rows,
  removed: rows.removed.toSorted(
    ([one, row], [other, next]) =>
      collectionOrder.indexOf(one) - collectionOrder.indexOf(other) || rowOf([one, row]).id - rowOf([other, next]).id,
  ),
})

/** The ids of the computers in the content of a row. */
export function removedComputers(content: string): number[] {
  const { removed }: UndoRows = JSON.parse(content)
  return removed.flatMap(([name, row]) => (name === 'computers' && typeof row !== 'number' ? row.id : []))
}

/** A schedule that is there again does not run what was due meanwhile. */
export function withSince(entry: Entry, now: number): Entry {
  const [name, row] = entry
  return name === 'schedules' && typeof row !== 'number' && 'since' in row
    ? [name, { ...row, since: Math.max(row.since, now) }]
    : entry
}

/** The former values of what differs; null for those that it lacked. */
export function differenceOf(before: Computer, after: Computer): ComputerChange {
  const change: Record<string, unknown> = { id: before.id }
  // An import may change ten thousand at once: no text is made of what is equal.
  const note = (key: string) => {
    const [value, next]: unknown[] = [Reflect.get(before, key), Reflect.get(after, key)]
    if (value !== next && JSON.stringify(value) !== JSON.stringify(next)) change[key] = value ?? null
  }
  for (const key in before) note(key)
  for (const key in after) if (!(key in before)) note(key)
  // `as`: the keys are those of computers.
  return change as unknown as ComputerChange
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
