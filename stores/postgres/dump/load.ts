// Loads a dump in one transaction, while it is being read.
import { collectionOrder } from '../../rules/collection-order.ts'
import type { Collections, Computer, Entry } from '../../store.ts'
import type { Database, Statements } from '../connection/database.ts'
import { DatabaseError } from '../connection/database-error.ts'
import { raw, sql } from '../connection/sql.ts'
import { type NewPart, partNames, partRows, partSelection } from '../jobs/part-rows.ts'
import { countDocuments } from '../modules/documents.ts'
import { allNames, insertComputers } from '../records/computer-rows.ts'
import { type IdCollection, raiseLastIds } from '../records/last-ids.ts'
import type { SqlTable } from '../records/sql-table.ts'
import { partitions, tables } from '../records/tables.ts'

const collections = collectionOrder.map(name => {
  if (name === 'partitions') return partitions
  if (name === 'parts') return { name: 'job_parts', idOffset: 0 }
  return name === 'events' ? { name: 'stored_events', idOffset: 0 } : tables[name]
})

/** Entries that are stored together: at most so many, and with so many characters of JSON. */
const mostEntries = 1000
const mostCharacters = 300_000

export async function load(database: Database, dump: AsyncIterable<Entry>): Promise<void> {
  await database.transaction(async statements => {
    // Others read the state before, and their writes wait. Deadlocks are repeated, as nothing of the dump has been read.
    await sql`lock table ${raw(collections.map(({ name }) => name).join(', '))} in exclusive mode`.run(statements)
    try {
      await replaceAll(statements, dump)
    } catch (error) {
      // An error without a code is not repeated: the dump can be read only once.
      throw error instanceof DatabaseError ? new Error(error.message, { cause: error }) : error
    }
  })
}

async function replaceAll(statements: Statements, dump: AsyncIterable<Entry>): Promise<void> {
  // Each before those that its rows name.
  for (const { name, idOffset } of collections.toReversed()) {
    await sql`delete from ${raw(name)} ${idOffset > 0 ? sql`where id > ${idOffset}` : sql``}`.run(statements)
  }
  const lastIds = await insertEntries(statements, dump)
  await deleteUnused(statements)
  await countDocuments(statements)
  await raiseLastIds(statements, lastIds)
}

/** In the order of a dump. The last ids that they have. */
export async function insertEntries(
  statements: Statements,
  entries: AsyncIterable<Entry> | Iterable<Entry>,
): Promise<Map<IdCollection, number>> {
  const lastIds = new Map<IdCollection, number>()
  for await (const [name, rows] of toBatches(entries, lastIds)) await insertRows(statements, name, rows)
  return lastIds
}

type Row = Collections[keyof Collections]

/** Consecutive rows of one collection. */
async function* toBatches(
  entries: AsyncIterable<Entry> | Iterable<Entry>,
  lastIds: Map<IdCollection, number>,
): AsyncGenerator<[keyof Collections, Row[]]> {
  let batch: [keyof Collections, Row[]] = ['centers', []]
  let characters = 0
  for await (const [name, row] of entries) {
    if (!collectionOrder.includes(name)) throw new Error(`store: backup: expected a known collection, got ${name}`)
    // An id that was assigned may be that of a deleted row. Partitions and parts have the ids of their owners.
    const id = typeof row === 'number' ? row : row.id
    if (name !== 'partitions' && name !== 'parts') lastIds.set(name, Math.max(id, lastIds.get(name) ?? 0))
    if (typeof row === 'number') continue
    const [previous, rows] = batch
    if (name !== previous || rows.length === mostEntries || characters > mostCharacters) {
      if (rows.length > 0) yield batch
      batch = [name, []]
      characters = 0
    }
    batch[1].push(row)
    characters += JSON.stringify(row).length
  }
  if (batch[1].length > 0) yield batch
}

async function insertRows(statements: Statements, name: keyof Collections, rows: Row[]): Promise<void> {
  if (name === 'partitions') return insertPartitions(statements, rows)
  if (name === 'parts') return insertParts(statements, rows)
  if (name === 'events') return
  if (name === 'computers') {
    await insertComputers(
      ['id', ...allNames],
      // `as`: the rows of this collection.
      rows.map(row => tables.computers.row(row as Computer)),
    ).run(statements)
    return
  }
  const table: SqlTable<Row> = tables[name]
  await table.insertAll(rows.map(row => table.row(row))).run(statements)
}

async function insertPartitions(statements: Statements, entries: Row[]): Promise<void> {
  const rows = entries.flatMap(entry =>
    'rows' in entry ? entry.rows.map(row => ({ ...partitions.row(row), computer_id: entry.id })) : [],
  )
  if (rows.length > 0) await partitions.insertAll(rows).run(statements)
}

async function insertParts(statements: Statements, entries: Row[]): Promise<void> {
  const parts = entries.flatMap(entry =>
    'parts' in entry
      ? entry.parts.map((part, at): NewPart => ({ ...part, job: entry.id, index: entry.from + at }))
      : [],
  )
  await sql`
    insert into job_parts (job_id, ${partNames}) select rows.job, ${partSelection} from ${partRows(parts)}
  `.run(statements)
}

/** Dumps of earlier versions contain names that no partition has. */
async function deleteUnused(statements: Statements): Promise<void> {
  await sql`
    select
      delete_unused_software_profiles((select array_agg(id) from software_profiles)),
      delete_unused_hardware_profiles((select array_agg(id) from hardware_profiles)),
      delete_unused_operating_systems((select array_agg(id) from operating_systems)),
      delete_unused_filesystems((select array_agg(id) from filesystems))
  `.run(statements)
}
