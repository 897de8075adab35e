// The rows that triggers have kept of an open transaction, as they are stored for taking it back.
import { groupBy } from '../../rules/group-by.ts'
import type { FormerList } from '../../rules/moved-addresses.ts'
import {
  editedNames,
  type InternedName,
  internedNames,
  isInterned,
  type Kept,
  keptNames,
  mapIds,
  type UndoRows,
} from '../../rules/undo/kept-entries.ts'
import { addressesOf } from '../../rules/undo/list-owners.ts'
import { compareRecords, type EditedRecord } from '../../rules/undo/value-changes.ts'
import type { Collections, Entry } from '../../store.ts'
import type { Statements } from '../connection/database.ts'
import { raw, type Sql, sql } from '../connection/sql.ts'
import { keepingSetting } from '../migrations/keeping-of-rows.ts'
import type { SqlTable } from '../records/sql-table.ts'
import { type CollectionName, partitions, tables } from '../records/tables.ts'

export const startKeeping = sql`select set_config(${keepingSetting}, 'on', true)`

type Operation = 'INSERT' | 'UPDATE' | 'DELETE' | 'FOLLOW'

/** As a list of tables for `from`: its rows have the name and the columns of the table. */
const keptIn = (table: string, operation: Operation): Sql => sql`
  kept_rows, json_populate_record(null::${raw(table)}, kept_rows.content) as ${raw(table)}
  where kept_rows.transaction = txid_current() and kept_rows.name = ${table} and kept_rows.operation = ${operation}`

/** To be called once in a transaction, after its changes. */
export async function takeRows(statements: Statements): Promise<Kept | undefined> {
  const kept = await sql<{ name: string; operation: Operation }>`
    select distinct name, operation from kept_rows where transaction = txid_current()
  `.all(statements)
  if (kept.length === 0) return undefined
  const has = (table: { name: string }, operation: Operation) =>
    kept.some(each => each.name === table.name && each.operation === operation)
  const removed: Entry[] = []
  // `as`: the keys of the constant.
  for (const name of Object.keys(tables) as CollectionName[]) {
    if (keptNames.has(name) && has(tables[name], 'DELETE')) removed.push(...(await removedOf(statements, name)))
  }
  if (has(partitions, 'DELETE')) removed.push(...(await removedPartitions(statements)))
  const added = has(tables.computers, 'INSERT') ? await addedComputers.all(statements) : []
  const records: EditedRecord[] = []
  for (const name of [...editedNames, 'computers'] as const) {
    if (has(tables[name], 'UPDATE')) records.push(...(await editedRecords(statements, name)))
  }
  const { changes, ...edits } = compareRecords(records)
  const copies = has(partitions, 'UPDATE') ? await lostCopies.all(statements) : []
  const lists = await formerLists.all(statements)
  const owners = await ownersOf(statements, addressesOf(removed, edits.edited))
  const rows = {
    ...{ removed, ...edits, copies, added: added.map(({ id }) => id) },
    lists: lists.map(({ content }): FormerList => JSON.parse(content)),
    owners: owners.map(({ ip, id }): [string, number] => [ip, id]),
  }
  const interned = await internedOf(statements, rows)
  await sql`delete from kept_rows where transaction = txid_current()`.run(statements)
  return {
    rows: { ...rows, removed: [...interned, ...removed] },
    changes,
    firstName: added[0]?.name ?? changes[0]?.name ?? '',
  }
}

async function removedOf(statements: Statements, name: CollectionName, condition = sql``): Promise<Entry[]> {
  const table: SqlTable<Collections[CollectionName]> = tables[name]
  const rows = await sql<object>`
    select ${table.columns} from ${keptIn(table.name, 'DELETE')} ${condition}
  `.all(statements)
  return rows.map((row): Entry => [name, table.read(row)])
}

async function removedPartitions(statements: Statements): Promise<Entry[]> {
  const rows = await sql<{ computer: number }>`
    select computer_id as computer, ${partitions.columns} from ${keptIn('partitions', 'DELETE')}
    order by computer_id, disk, partition
  `.all(statements)
  const disks = groupBy(rows, ({ computer }) => computer)
  return Array.from(disks, ([id, each]): Entry => ['partitions', { id, rows: each.map(row => partitions.read(row)) }])
}

const addedComputers = sql<{ id: number; name: string }>`
  select computers.id, computers.name from ${keptIn('computers', 'INSERT')} order by computers.id`

const lostCopies = sql<UndoRows['copies'][number]>`
  select computer_id as computer, disk, partition, image_id as image, coalesce(image_version, 0) as version,
    coalesce((extract(epoch from image_since) * 1000)::bigint, 0) as since
  from ${keptIn('partitions', 'UPDATE')} order by computer_id, disk, partition`

const formerLists = sql<{ content: string }>`
  select content from kept_rows where transaction = txid_current() and operation = 'FOLLOW' order by number`

const ownersOf = async (statements: Statements, addrs: string[]) =>
  addrs.length === 0
    ? []
    : sql<{ ip: string; id: number }>`select ip, id from computers where ip = any(${addrs}::text[])`.all(statements)

/** Without computers that the same transaction has added. Addresses that are exchanged are changed twice. */
async function editedRecords(statements: Statements, name: EditedRecord['collection']): Promise<EditedRecord[]> {
  const table: SqlTable<{ id: number }> = tables[name]
  const rows = await sql<object>`
    select distinct on (${raw(table.name)}.id) ${table.columns} from ${keptIn(table.name, 'UPDATE')}
      and not exists (
        select from kept_rows added
        where added.transaction = txid_current() and added.name = ${table.name} and added.operation = 'INSERT'
          and (added.content->>'id')::bigint = ${raw(table.name)}.id
      )
    order by ${raw(table.name)}.id, kept_rows.number
  `.all(statements)
  const before = rows.map(row => table.read(row))
  const list = await table.list(statements, sql`id = any(${before.map(({ id }) => id)}::bigint[])`)
  const after = new Map(list.map(row => [row.id, row]))
  return before.map(row => ({ collection: name, before: row, after: after.get(row.id) ?? row }))
}

/** They are there, and locked, or this transaction has deleted them. */
async function internedOf(statements: Statements, rows: Pick<UndoRows, 'removed' | 'changed'>): Promise<Entry[]> {
  const used = new Map<InternedName, Set<number>>(internedNames.map(name => [name, new Set()]))
  mapIds(rows, (name, id) => {
    if (isInterned(name)) used.get(name)?.add(id)
    return id
  })
  const entries: Entry[] = []
  for (const [name, ids] of used) {
    const table: SqlTable<Collections[InternedName]> = tables[name]
    if (ids.size === 0) continue
    const stored = await table.list(statements, sql`id = any(${Array.from(ids, id => id + table.idOffset)}::bigint[])`)
    const removed = await removedOf(statements, name)
    entries.push(...removed, ...stored.map((row): Entry => [name, row]))
  }
  return entries
}
