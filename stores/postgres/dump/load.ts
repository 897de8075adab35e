// Loads a dump in one transaction, while it is being read.
import { toFilesystemId } from '../../rules/filesystem-names.ts'
import type { Collections, Entry } from '../../store.ts'
import type { Database, Statements } from '../connection/database.ts'
import { DatabaseError } from '../connection/database-error.ts'
import { raw, sql } from '../connection/sql.ts'
import { type NewPart, partNames, partRows, partSelection } from '../jobs/part-rows.ts'
import { type CollectionTable, collectionTables, insertRows } from '../records/collection-tables.ts'
import { raiseLastIds } from '../records/last-ids.ts'

/** Each before those that its rows name. */
const tables = [
  'job_parts',
  'jobs',
  'schedules',
  'scheduled_commands',
  'tasks',
  'procedures',
  'partitions',
  'computers',
  'images',
  'hardware_profiles',
  'software_profiles',
  'operating_systems',
  'filesystems',
  'tokens',
  'users',
  'rooms',
  'centers',
  'repositories',
]

/** Of the entries that are stored together: see `weightOf`. */
const batchWeight = 1000

export async function load(database: Database, dump: AsyncIterable<Entry>): Promise<void> {
  await database.transaction(async statements => {
    // Others read the state before, and their writes wait. Deadlocks are repeated, as nothing of the dump has been read.
    await sql`lock table ${raw(tables.join(', '))} in exclusive mode`.run(statements)
    try {
      await replaceAll(statements, dump)
    } catch (error) {
      // An error without a code is not repeated: the dump can be read only once.
      throw error instanceof DatabaseError ? new Error(error.message, { cause: error }) : error
    }
  })
}

async function replaceAll(statements: Statements, dump: AsyncIterable<Entry>): Promise<void> {
  for (const table of tables) {
    const fixed = table === 'filesystems' ? sql`where id > ${toFilesystemId(0)}` : sql``
    await sql`delete from ${raw(table)} ${fixed}`.run(statements)
  }
  const lastIds = new Map<string, number>()
  const batch = new Batch(statements)
  for await (const [name, row] of dump) {
    if (!isCollection(name)) throw new Error(`store: backup: expected a known collection, got ${name}`)
    noteId(lastIds, name, typeof row === 'number' ? row : row.id)
    if (typeof row !== 'number') await batch.add(name, row)
  }
  await batch.store()
  await deleteUnused(statements)
  await raiseLastIds(statements, lastIds)
}

const isCollection = (name: string): name is keyof Collections =>
  name === 'partitions' || name === 'parts' || Object.hasOwn(collectionTables, name)

/** An id that was assigned may be that of a deleted row. Partitions and parts have the ids of their owners. */
function noteId(lastIds: Map<string, number>, name: keyof Collections, id: number): void {
  if (name === 'partitions' || name === 'parts') return
  const { table } = collectionTables[name]
  const last = name === 'filesystems' ? toFilesystemId(id) : id
  if (last > (lastIds.get(table) ?? 0)) lastIds.set(table, last)
}

type Row = Collections[keyof Collections]

/** Consecutive rows of one collection, which are stored together. */
class Batch {
  readonly #statements: Statements
  #name: keyof Collections = 'centers'
  #rows: Row[] = []
  #weight = 0

  constructor(statements: Statements) {
    this.#statements = statements
  }

  async add(name: keyof Collections, row: Row): Promise<void> {
    if (name !== this.#name) await this.store()
    this.#name = name
    this.#rows.push(row)
    this.#weight += weightOf(row)
    if (this.#weight >= batchWeight) await this.store()
  }

  async store(): Promise<void> {
    const rows = this.#rows
    if (rows.length > 0) await insertEntries(this.#statements, this.#name, rows)
    this.#rows = []
    this.#weight = 0
  }
}

/** How many rows of a few hundred bytes need as much memory. */
function weightOf(row: Row): number {
  if ('programs' in row) return 1 + row.programs.length / 10
  if ('items' in row) return 1 + row.items.length / 10
  if ('rows' in row) return row.rows.length
  if ('parts' in row) return row.parts.reduce((weight, { output }) => weight + 1 + output.length / 500, 0)
  return 1
}

async function insertEntries(statements: Statements, name: keyof Collections, rows: Row[]): Promise<void> {
  if (name === 'partitions') return insertPartitions(statements, rows)
  if (name === 'parts') return insertParts(statements, rows)
  const { insert }: CollectionTable = collectionTables[name]
  await insert(rows).run(statements)
}

async function insertPartitions(statements: Statements, entries: Row[]): Promise<void> {
  const rows = entries.flatMap(entry =>
    'rows' in entry
      ? entry.rows.map(({ os, image, software, image_version = 0, image_since = 0, ...row }) => ({
          ...row,
          image_version,
          image_since,
          computer: entry.id,
          operating_system: os || null,
          image: image || null,
          software_profile: software || null,
        }))
      : [],
  )
  if (rows.length > 0) await insertRows('partitions', rows).run(statements)
}

async function insertParts(statements: Statements, entries: Row[]): Promise<void> {
  const parts = entries.flatMap(entry =>
    'parts' in entry
      ? entry.parts.map((part, at): NewPart => ({ ...part, job: entry.id, index: entry.from + at }))
      : [],
  )
  await sql`
    insert into job_parts (job, ${partNames}) select rows.job, ${partSelection} from ${partRows(parts)}
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
