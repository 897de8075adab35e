// Keeps what mutations delete and edit, and the computers that they add, so that these can be taken back.
import type { RecordName } from '../records/all-records.ts'
import { partition as partitionRecord } from '../records/computer.ts'
import { undoItem } from '../records/undo-item.ts'
import { joinEdits } from '../rules/undo/join-edits.ts'
import {
  isInterned,
  mapIds,
  namesOf,
  type Row,
  readRows,
  removedComputers,
  toUndo,
  type UndoRows,
  withSince,
} from '../rules/undo/kept-entries.ts'
import { entryOf, planUndo, readCollections, type UndoActions } from '../rules/undo/plan-undo.ts'
import type { KeptStore, Store, UndoItem, Undone } from '../store.ts'
import { mergeComputers, removeComputer } from './computers.ts'
import { putEntry } from './dump.ts'
import { recordTable } from './record-table.ts'
import type { Rows } from './tables/row-types.ts'
import type { Tables } from './tables/tables.ts'
import type { StoreContext, Transaction } from './tables/transaction.ts'
import { collectRows, internEntry } from './undo-rows.ts'

export function undo(context: StoreContext, createMethods: (context: StoreContext) => KeptStore): Store['undo'] {
  const { tables, mutate } = context
  const { all } = tables
  const rows = recordTable(tables, 'undos')
  return {
    async keep(note, call) {
      let item: UndoItem | undefined
      const keepingMutate: StoreContext['mutate'] = work =>
        mutate(transaction => {
          const result = work(transaction)
          const kept = collectRows(tables, transaction)
          const row = toUndo(kept, note)
          const joined = row && joinEdits(rows.find(note.joins), row)
          if (joined) rows.put(transaction, joined)
          if (row) item = toItem(joined ?? { ...row, id: rows.add(transaction, row) })
          return result
        })
      const result = await call(createMethods({ ...context, mutate: keepingMutate }))
      return { result, ...(item && { item }) }
    },
    list: async () => all.undos.sorted().map(toItem),
    names: async id => {
      const row = all.undos.get(id)
      return row && namesOf(row.content)
    },
    apply: (id, now, options) =>
      mutate(transaction => {
        const row = all.undos.get(id)
        if (!row) return undefined
        const content = readRows(row.content)
        // `as`: rows of records, whose keys are looked up by name.
        const rowsOf = (name: RecordName) => recordTable(tables, name).list() as unknown as Row[]
        const existing = new Map(readCollections(content).map(name => [name, rowsOf(name)]))
        const plan = planUndo(content, name => existing.get(name) ?? [], options)
        if ('text' in plan) return plan
        transaction.delete('undos', id)
        return {
          item: toItem(row),
          ...applyPlan(tables, transaction, withInterned(tables, transaction, content, plan), now),
        }
      }),
    trim: ({ before, keep }) =>
      mutate(transaction => {
        const sorted = all.undos.sorted()
        const trimmed = sorted.filter(({ at }, index) => at < before || index < sorted.length - keep)
        for (const { id } of trimmed) transaction.delete('undos', id)
        return trimmed.flatMap(({ content }) => removedComputers(content))
      }),
  }
}

const toItem = ({ content: _, ...row }: Rows['undos']) => undoItem.read(row)

/** Stores the lists and names that are gone, whose ids may be others then. */
function withInterned(tables: Tables, transaction: Transaction, { removed }: UndoRows, plan: UndoActions): UndoActions {
  const ids = new Map<string, number>()
  for (const entry of removed) {
    const [name, row] = entry
    const id = isInterned(name) ? internEntry(tables, transaction, entry) : undefined
    if (id !== undefined && typeof row !== 'number') ids.set(`${name} ${row.id}`, id)
  }
  const mapped = mapIds({ removed: plan.restored, changed: plan.changes }, (name, id) => ids.get(`${name} ${id}`) ?? id)
  return { ...plan, restored: mapped.removed, changes: mapped.changed }
}

function applyPlan(
  tables: Tables,
  transaction: Transaction,
  { deleted, restored, changes, edited: edits, copies, lists, renamed }: UndoActions,
  now: number,
): Omit<Undone, 'item'> {
  const computers = deleted.flatMap(id => removeComputer(tables, transaction, id))
  const entries = restored.map(entry => withSince(entry, now))
  const edited = edits.map(({ collection, row }) => withSince(entryOf(collection, row), now))
  for (const entry of [...entries, ...edited]) putEntry(tables, transaction, entry)
  const { before } = mergeComputers(tables, transaction, changes, lists)
  for (const copy of copies) restoreCopy(tables, transaction, copy)
  return { restored: entries, deleted: computers, before, changes, edited, renamed }
}

/** A partition that has got another image since keeps it. */
function restoreCopy({ all }: Tables, transaction: Transaction, copy: UndoActions['copies'][number]): void {
  const { computer, disk, partition, image, version, since } = copy
  const disks = all.partitions.get(computer)
  const at = disks?.rows.findIndex(row => row.disk === disk && row.partition === partition) ?? -1
  const row = disks?.rows[at]
  if (!disks || !row || row.image !== 0) return
  const restored = partitionRecord.store({ ...row, image, image_version: version, image_since: since })
  transaction.put('partitions', { ...disks, rows: disks.rows.with(at, restored) })
}
