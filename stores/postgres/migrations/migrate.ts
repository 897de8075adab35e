// Brings the tables to this version's form when a store is opened. Forwards only: an earlier daemon refuses later tables.
import { type RawBuilder, sql } from 'kysely'
import { fixedFilesystems, lastFixedId } from '../../filesystem-names.ts'
import type { Database, Statements } from '../connection/database.ts'
import { conditionTables } from './condition-tables.ts'
import { fleetTables, hostLeases } from './fleet-tables.ts'
import { imageSource } from './image-source.ts'
import { imageTables } from './image-tables.ts'
import { jobAccounts } from './job-accounts.ts'
import { recordOwners } from './record-owners.ts'
import { recordTables, scopeCounts } from './record-tables.ts'
import { taskOptions } from './task-options.ts'
import { deletionOfUnusedRows } from './unused-rows.ts'
import { views } from './views.ts'
import { workTables } from './work-tables.ts'

/** The statements of each version, the first one first. Those that were released are never changed. */
const versions: readonly (readonly RawBuilder<unknown>[])[] = [
  [...recordTables, ...scopeCounts, ...deletionOfUnusedRows, ...workTables, ...views],
  [...imageTables],
  [...fleetTables],
  [...conditionTables],
  [...taskOptions],
  [...hostLeases],
  [...jobAccounts],
  [...imageSource],
  [...recordOwners],
]

/** The version that this program's statements are written for. */
export const currentVersion = versions.length

/** Sessions of processes that use the database, `pid` 0 for one that was closed: see `StoreSession`. */
const sessions = sql`
  create table if not exists store_sessions (
    id text primary key,
    -- The process of the server that has the connection, its role, and when it began.
    pid integer not null,
    role name not null,
    began timestamptz not null,
    period bigint not null,
    alone boolean not null,
    -- The version of the tables.
    tables integer not null,
    holder text not null,
    since timestamptz not null default clock_timestamp(),
    -- Of a host of the fleet.
    name text
  )`

/** Makes the schema with the tables that are there before all others: their creation is repeated when others do the same. */
export async function prepare(database: Database, schema: string): Promise<void> {
  await database.transaction(async statements => {
    await createSchema(statements, schema)
    await sql`
      create table if not exists schema_versions (
        version integer primary key, applied timestamptz not null default now()
      )`.execute(statements)
    await sessions.execute(statements)
  })
}

/** Resolves to the version before, 0 for a new schema. Rejects with an error of one line when the tables are newer. */
export async function migrate(database: Database, schema: string): Promise<number> {
  return database.transaction(async statements => {
    // Two hosts that start together wait for each other.
    await sql`lock table schema_versions in share row exclusive mode`.execute(statements)
    const version = await maxVersion(statements)
    if (version > currentVersion) throw new Error(`store: ${newerTables(schema, version)}`)
    for (const [at, statementsOfVersion] of versions.entries()) {
      if (at < version) continue
      for (const statement of statementsOfVersion) await statement.execute(statements)
      await statements
        .insertInto('schema_versions')
        .values({ version: at + 1 })
        .execute()
    }
    if (version === 0) await addFirstRows(statements)
    return version
  })
}

export const newerTables = (schema: string, version: number): string =>
  `tables of schema ${schema}: expected version ${currentVersion} or earlier, got ${version}`

/** Rejects when the tables are of another version, or missing. Changes nothing. */
export async function requireCurrentVersion(database: Database, schema: string): Promise<void> {
  const name = sql<{ name: string | null }>`select to_regclass('schema_versions')::text as name`
  const [row] = (await name.execute(database.read)).rows
  const version = row?.name ? await maxVersion(database.read) : 0
  if (version === currentVersion) return
  throw new Error(`store: tables of schema ${schema}: expected version ${currentVersion}, got ${version || 'none'}`)
}

/** Only when it is missing: the user need not have the right to create one. */
async function createSchema(statements: Statements, schema: string): Promise<void> {
  const { rows } = await sql`select 1 from pg_namespace where nspname = ${schema}`.execute(statements)
  if (rows.length === 0) await sql`create schema if not exists ${sql.id(schema)}`.execute(statements)
}

async function maxVersion(statements: Statements): Promise<number> {
  const row = await statements
    .selectFrom('schema_versions')
    .select(({ fn }) => fn.max('version').as('version'))
    .executeTakeFirst()
  return row?.version ?? 0
}

/** Repository 1 always exists, and so do the filesystems whose ids consoles know. */
async function addFirstRows(statements: Statements): Promise<void> {
  await statements.insertInto('repositories').values({ id: 1, name: 'default', ip: '' }).execute()
  await sql`select setval(pg_get_serial_sequence('repositories', 'id'), 1)`.execute(statements)
  const rows = fixedFilesystems.map((name, id) => ({ id, name }))
  await statements.insertInto('filesystems').values(rows).execute()
  await sql`select setval(pg_get_serial_sequence('filesystems', 'id'), ${lastFixedId})`.execute(statements)
}
