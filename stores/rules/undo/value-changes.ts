// What edits have changed of records, value by value: the same for every engine.
import { masks } from '../../records/scheduled-work.ts'
import type { ValueChange } from '../../records/undo-item.ts'
import type { ComputerChange } from '../../types.ts'
import { type EditedName, type FormerValues, kindOf, mostChanges, type Row, type UndoRows } from './kept-entries.ts'

/** A record before and after it was edited. */
export interface EditedRecord {
  collection: EditedName | 'computers'
  before: object
  after: object
}

/** Without the records that are as before; the outermost one is first, after which the edit is called, and computers are last. */
export function compareRecords(
  records: readonly EditedRecord[],
): Pick<UndoRows, 'changed' | 'edited'> & { changes: ValueChange[] } {
  const changed: ComputerChange[] = []
  const edited: FormerValues[] = []
  const changes: ValueChange[] = []
  const inOrder = withoutFollowing(records).toSorted((one, other) => placeOf(one) - placeOf(other))
  for (const { collection, before, after } of inOrder) {
    const former = formerValues(collection, before, after)
    if (Object.keys(former).length === 1) continue
    // `as`: the keys are those of computers.
    if (collection === 'computers') changed.push(former as unknown as ComputerChange)
    else edited.push([collection, former])
    if (changes.length < mostChanges) changes.push(...toChanges(collection, former, before, after))
  }
  return { changed, edited, changes: changes.slice(0, mostChanges) }
}

/** Lists of addresses follow computers, also when these get their former address again. */
function withoutFollowing(records: readonly EditedRecord[]): readonly EditedRecord[] {
  const isMoved = ({ collection, before, after }: EditedRecord) =>
    collection === 'computers' && Reflect.get(before, 'ip') !== Reflect.get(after, 'ip')
  return records.some(isMoved) ? records.filter(({ collection }) => collection !== 'tasks') : records
}

const names = [...kindOf.keys()]
const placeOf = ({ collection }: EditedRecord) =>
  collection === 'computers' ? names.length : names.indexOf(collection)

/** Whoever takes the edit of a schedule back answers for what it runs then, and what was due meanwhile is not. */
const ownKeys: Readonly<Record<string, readonly string[]>> = { schedules: ['since', 'by'] }

/** The former values of what differs; null for those that it lacked. A time comes back whole, whatever is edited later. */
function formerValues(collection: string, before: object, after: object): Row {
  const former: Record<string, unknown> & { id: number } = { id: Number(Reflect.get(before, 'id')) }
  // An import may change ten thousand at once: no text is made of what is equal.
  const note = (key: string) => {
    const [value, next]: unknown[] = [Reflect.get(before, key), Reflect.get(after, key)]
    if (value !== next && JSON.stringify(value) !== JSON.stringify(next)) former[key] = value ?? null
  }
  for (const key in before) note(key)
  for (const key in after) if (!(key in before)) note(key)
  if (Object.keys(former).some(key => isMask(collection, key))) Object.assign(former, masksOf(before))
  for (const key of ownKeys[collection] ?? []) delete former[key]
  return former
}

/** They say something together only: they are its `when`. */
export const isMask = (kind: string, key: string) => /^schedules?$/.test(kind) && key in masks.columns

function toChanges(collection: string, { id: record, ...former }: Row, before: object, after: object): ValueChange[] {
  const about = { kind: kindOf.get(collection) ?? '', record, name: String(Reflect.get(after, 'name')) }
  const when = { ...about, field: 'when', before: masksOf(before), after: masksOf(after) }
  const others = Object.keys(former).filter(key => !isMask(collection, key))
  return [
    ...(others.length < Object.keys(former).length ? [when] : []),
    ...others.map(field => ({
      ...about,
      field,
      before: cut(Reflect.get(before, field)),
      after: cut(Reflect.get(after, field)),
    })),
  ]
}

const masksOf = (row: object) => Object.fromEntries(Object.keys(masks.columns).map(key => [key, Reflect.get(row, key)]))

/** Of the text of a list of steps. */
const longestValue = 500

function cut(value: unknown): unknown {
  const text = typeof value === 'object' ? JSON.stringify(value) : value
  return typeof text === 'string' && text.length > longestValue ? `${text.slice(0, longestValue)}…` : (value ?? null)
}
