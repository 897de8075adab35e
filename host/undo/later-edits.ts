// Which later edits would be overwritten if an older one were taken back.
import { isDeepStrictEqual } from 'node:util'
import { groupBy } from '../../stores/rules/group-by.ts'
import { mostChanges } from '../../stores/rules/undo/kept-entries.ts'
import { isMask } from '../../stores/rules/undo/value-changes.ts'
import type { Store, UndoItem } from '../../stores/store.ts'
import type { UndoEntry } from '../contract/services.ts'
import type { NameOf } from '../store/named-ids.ts'
import { withNames } from '../store/undo-words.ts'

type LaterChange = NonNullable<UndoEntry['later']>[number]

/**
 * The last edit of each value that is not as `item` has set it, or of a computer that it has added; of what undos have
 * set back there is none. With `nameOf` they have their values.
 */
export async function laterEdits(
  item: UndoItem,
  items: readonly UndoItem[],
  store: Pick<Store, 'undo'>,
  nameOf?: NameOf,
): Promise<LaterChange[]> {
  const own = await valuesOf(item, store)
  const added = new Set(item.counts.added ? (await store.undo.names(item.id))?.added : [])
  if (own.size + added.size === 0) return []
  const last = new Map<string, { edit: UndoItem; value: Value }>()
  const fieldsOf = new Set([...own.values()].map(({ kind, field }) => `${kind} ${field}`))
  const isOfAdded = ({ kind, record }: Value) => kind === 'computer' && added.has(record)
  for (const edit of items) {
    const mayMeet = ({ kind, field }: Value) =>
      fieldsOf.has(`${kind} ${field}`) || (kind === 'computer' && added.size > 0)
    if (edit.id <= item.id || !edit.changes?.some(mayMeet)) continue
    const isSetBack = (edit.counts.undone ?? 0) % 2 === 1
    for (const [key, value] of await valuesOf(edit, store))
      if (own.has(key) || (isOfAdded(value) && !isSetBack)) last.set(key, { edit, value })
  }
  const overwritten = [...last].flatMap(([key, { edit, value }]) =>
    isSame(own.get(key), value) ? [] : { edit, value, former: own.get(key) },
  )
  return [...groupBy(overwritten, ({ edit }) => edit)].map(([{ id, at, by }, values]) => ({
    id,
    at: new Date(at).toISOString(),
    by,
    fields: [...new Set(values.map(({ value }) => value.field))],
    names: [...new Set(values.flatMap(({ value }) => value.name ?? []))],
    ...(nameOf && { changes: withNames(values.flatMap(toChange), nameOf) }),
  }))
}

interface Value {
  kind: string
  record: number
  field: string
  /** With both values only of the first ones of an edit. */
  name?: string
  before?: unknown
  after?: unknown
}

/** If both values are known; a computer that was added had none before. */
function toChange({ value: { name, after, ...about }, former = { ...about, before: null } }: Overwritten) {
  return name === undefined || former.before === undefined ? [] : { ...about, name, before: former.before, after }
}

interface Overwritten {
  value: Value
  /** Of the edit that is to be taken back. */
  former: Value | undefined
}

/** What an edit has set, by the record and the key. */
async function valuesOf({ id, changes = [] }: UndoItem, { undo }: Pick<Store, 'undo'>): Promise<Map<string, Value>> {
  const values = new Map<string, Value>()
  const { edited = [] } = (changes.length >= mostChanges && (await undo.names(id))) || {}
  for (const { kind, record, keys } of edited) {
    for (const key of keys) {
      const field = isMask(kind, key) ? 'when' : key
      values.set(`${kind} ${record} ${field}`, { kind, record, field })
    }
  }
  for (const change of changes) values.set(`${change.kind} ${change.record} ${change.field}`, change)
  return values
}

/** What is not known, and what is cut, may be anything. */
const isSame = (one: Value | undefined, other: Value): boolean =>
  one?.after !== undefined && !String(one.after).endsWith('…') && isDeepStrictEqual(one.after, other.after)
