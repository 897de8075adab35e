// Keeps what transactions delete and edit, and the computers that they add, so that these can be taken back.

import { undoItem } from '../../records/undo-item.ts'
import { joinEdits } from '../../rules/undo/join-edits.ts'
import {
  type InternedName,
  internedNames,
  mapIds,
  namesOf,
  type Row,
  readRows,
  removedComputers,
  toUndo,
  type UndoRows,
  withSince,
} from '../../rules/undo/kept-entries.ts'
import { entryOf, planUndo, readCollections, type UndoActions } from '../../rules/undo/plan-undo.ts'
import type { Collections, KeptStore, Store, UndoItem, Undone } from '../../store.ts'
import type { UndoNote } from '../../undo-methods.ts'
import type { Database, Statements, Work } from '../connection/database.ts'
import { fromColumn, raw, sql, toTable, toType } from '../connection/sql.ts'
import { insertEntries } from '../dump/load.ts'
import { mergeComputers } from '../records/computer-changes.ts'
import { removeComputers } from '../records/computer-rows.ts'
import { stepsLock } from '../records/procedures.ts'
import type { SqlTable } from '../records/sql-table.ts'
import { tables, undoItems } from '../records/tables.ts'
import { startKeeping, takeRows } from './kept-rows.ts'

export function undo(database: Database, createMethods: (database: Database) => KeptStore): Store['undo'] {
  const { read, write, transaction } = database
  return {
    async keep(note, call) {
      let item: UndoItem | undefined
      const keep = <Result>(work: Work<Result>) =>
        transaction(async statements => {
          await startKeeping.run(statements)
          const result = await work(statements)
          item = await storeRows(statements, note)
          return result
        })
      const result = await call(createMethods({ ...database, write: keep, transaction: keep }))
      return { result, ...(item && { item }) }
    },
    list: () => undoItems.list(read),
    async names(id) {
      const [row] = await tables.undos.list(read, sql`id = ${id}`)
      return row && namesOf(row.content)
    },
    apply: (...args) => transaction(statements => apply(statements, ...args)),
    async trim({ before, keep }) {
      const deletion = sql<{ content: string }>`
        delete from undos
        where at < ${toType(before, 'timestamptz')}
          or id <= (select id from undos order by id desc limit 1 offset ${keep})
        returning content`
      const rows = await write(statements => deletion.all(statements))
      return rows.flatMap(({ content }) => removedComputers(content))
    },
  }
}

async function storeRows(statements: Statements, note: UndoNote): Promise<UndoItem | undefined> {
  const kept = await takeRows(statements)
  const record = kept && toUndo(kept, note)
  if (!record) return undefined
  const [earlier] = note.joins ? await tables.undos.list(statements, sql`id = ${note.joins}`, sql`for update`) : []
  const joined = joinEdits(earlier, record)
  if (joined) await tables.undos.update(statements, joined.id, tables.undos.changes(joined))
  const { content: _, ...item } = joined ?? {
    ...record,
    id: await tables.undos.add(statements, tables.undos.row(record)),
  }
  return undoItem.read(item)
}

async function apply(
  statements: Statements,
  ...[id, now, options]: Parameters<Store['undo']['apply']>
): ReturnType<Store['undo']['apply']> {
  await stepsLock.run(statements)
  const [record] = await tables.undos.list(statements, sql`id = ${id}`, sql`for update`)
  if (!record) return undefined
  const { content, ...item } = record
  const rows = readRows(content)
  const existing = new Map<string, readonly Row[]>()
  for (const name of readCollections(rows)) {
    // `as`: rows of records, whose keys are looked up by name.
    existing.set(name, (await tables[name].list(statements)) as unknown as Row[])
  }
  const plan = planUndo(rows, name => existing.get(name) ?? [], options)
  if ('text' in plan) return plan
  await sql`delete from undos where id = ${id}`.run(statements)
  const ids = await addInterned(statements, rows)
  const mapped = mapIds({ removed: plan.restored, changed: plan.changes }, (name, each) => {
    return ids.get(`${name} ${each}`) ?? each
  })
  return { item, ...(await applyPlan(statements, { ...plan, restored: mapped.removed, changes: mapped.changed }, now)) }
}

/** The present ids of the lists and names that what is to be stored names. */
async function addInterned(statements: Statements, { removed }: UndoRows): Promise<Map<string, number>> {
  const ids = new Map<string, number>()
  for (const name of internedNames) {
    const rows = removed.flatMap(([each, row]) => (each === name && typeof row !== 'number' ? [row] : []))
    // `as`: the rows of this collection.
    const found = await addMissing(statements, name, rows as unknown as Collections[InternedName][])
    for (const [id, present] of found) ids.set(`${name} ${id}`, present)
  }
  return ids
}

/** So many lists of software make no long statement. */
const listsAtOnce = 100

async function addMissing(
  statements: Statements,
  name: InternedName,
  records: readonly Collections[InternedName][],
): Promise<[number, number][]> {
  const table: SqlTable<Collections[InternedName]> = tables[name]
  const key = 'digest' in table.types ? 'digest' : 'name'
  const found: [number, number][] = []
  for (let at = 0; at < records.length; at += listsAtOnce) {
    const rows = records.slice(at, at + listsAtOnce).map(record => ({ id: record.id, row: table.row(record) }))
    await sql`${table.insertAll(rows.map(({ row }) => row))} on conflict do nothing`.run(statements)
    const stored = await sql<{ id: number; key: string }>`
      select id - ${table.idOffset}::bigint as id, ${raw(key)} as key from ${raw(table.name)}
      where ${raw(key)} = any(${rows.map(({ row }) => row[key])}::text[]) for key share
    `.all(statements)
    const idsByKey = new Map(stored.map(each => [each.key, each.id]))
    for (const { id, row } of rows) found.push([id, idsByKey.get(String(row[key])) ?? id])
  }
  return found
}

async function applyPlan(
  statements: Statements,
  { deleted: added, restored, changes, edited: edits, copies, lists, renamed }: UndoActions,
  now: number,
): Promise<Omit<Undone, 'item'>> {
  const deleted = await removeComputers(statements, sql`id = any(${added}::bigint[])`)
  const entries = restored.map(entry => withSince(entry, now))
  await insertEntries(statements, entries)
  const edited = edits.map(({ collection, row }) => withSince(entryOf(collection, row), now))
  for (const [at, { collection, change }] of edits.entries()) {
    const since: unknown = Reflect.get(Object(edited[at]?.[1]), 'since')
    await tables[collection].update(statements, change.id, tables[collection].changes({ ...change, since }))
  }
  const rows = changes.map(change => tables.computers.changes(change))
  const { conflicts, before } = await mergeComputers(statements, rows, lists)
  // Another writer has been faster than this one after the plan.
  if (conflicts[0]) throw new Error(`store: undo: ${conflicts[0].reason}`)
  await sql`
    update partitions set image_id = lost.image, image_version = nullif(lost.version, 0),
      image_since = nullif(${fromColumn('lost.since', 'timestamptz')}, timestamptz 'epoch')
    from ${toTable('lost', copyTypes, copies)}, images
    where partitions.computer_id = lost.computer
      and partitions.disk = lost.disk and partitions.partition = lost.partition
      and partitions.image_id is null and images.id = lost.image
  `.run(statements)
  return { restored: entries, deleted, before, changes, edited, renamed }
}

const copyTypes = {
  computer: 'bigint',
  disk: 'bigint',
  partition: 'bigint',
  image: 'bigint',
  version: 'bigint',
  since: 'timestamptz',
}
