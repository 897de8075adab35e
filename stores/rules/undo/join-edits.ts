// Adds an edit to an earlier one, so that both are taken back as one: the same for every engine.
import type { Undo, ValueChange } from '../../records/undo-item.ts'
import type { New } from '../../types.ts'
import { kinds, mostChanges, type Row, readRows, rowOf, toContent, type UndoRows } from './kept-entries.ts'

/** Undefined when they are not of one account, not both edits, or too many: the later one is kept apart. */
export function joinEdits(earlier: Undo | undefined, later: New<Undo>): Undo | undefined {
  if (!earlier) return undefined
  const isOne = earlier.fields && later.fields && earlier.account !== '' && earlier.account === later.account
  const changes = joinValues([...(earlier.changes ?? []), ...(later.changes ?? [])])
  if (!isOne || changes.length > mostChanges) return undefined
  const [first, second] = [readRows(earlier.content), readRows(later.content)]
  // Which of two moves has brought an address into a list is known of each alone.
  if (first.lists.length + second.lists.length > 0) return undefined
  const rows = joinRows(first, second)
  const orderOf = ({ kind }: { kind: string }) => kinds.findIndex(([, each]) => each === kind)
  const { kind, record, name } = orderOf(later) < orderOf(earlier) ? later : earlier
  return {
    ...earlier,
    ...{ kind, record, name, changes },
    counts: { changed: rows.changed.length + rows.edited.length },
    fields: [...new Set([...(earlier.fields ?? []), ...(later.fields ?? [])])],
    content: toContent(rows),
  }
}

/** What was there first comes back. */
function joinRows(earlier: UndoRows, later: UndoRows): UndoRows {
  const all = { changed: [...later.changed, ...earlier.changed], edited: [...later.edited, ...earlier.edited] }
  return {
    ...earlier,
    owners: [...later.owners, ...earlier.owners],
    removed: byKey([...later.removed, ...earlier.removed], entry => `${entry[0]} ${rowOf(entry).id}`),
    changed: byKey(
      all.changed,
      ({ id }) => id,
      (one, other) => ({ ...one, ...other }),
    ),
    edited: byKey(
      all.edited,
      ([name, { id }]) => `${name} ${id}`,
      ([name, row], [, other]) => [name, { ...row, ...other } satisfies Row],
    ),
  }
}

const joinValues = (changes: ValueChange[]) =>
  byKey(
    changes,
    ({ kind, record, field }) => `${kind} ${record} ${field}`,
    (one, { name, after }) => ({ ...one, name, after }),
  )

/** One of each key, joined with the later ones in the list. */
function byKey<Value>(
  values: readonly Value[],
  keyOf: (value: Value) => unknown,
  join: (one: Value, other: Value) => Value = one => one,
): Value[] {
  const found = new Map<unknown, Value>()
  for (const value of values) {
    const one = found.get(keyOf(value))
    found.set(keyOf(value), one === undefined ? value : join(one, value))
  }
  return [...found.values()]
}
