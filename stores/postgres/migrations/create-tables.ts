// Creates the tables of a new schema, changes those of an earlier version, and refuses those of any other.
import { readdirSync, readFileSync } from 'node:fs'
import { fixedFilesystems, lastFixedId } from '../../rules/filesystem-names.ts'
import type { Database, Statements } from '../connection/database.ts'
import { raw, sql } from '../connection/sql.ts'
import { keepingOfRows } from './keeping-of-rows.ts'
import { createRecordTables, describeRecordTables } from './table-definitions.ts'
import { deletionOfUnusedRows } from './unused-rows.ts'

const changes = readdirSync(import.meta.dirname).flatMap(name => /^version-(\d+)\.sql$/.exec(name)?.[1] ?? [])

/** The version of the tables: `version-<n>.sql` makes them from those of the version before. */
export const currentVersion = Math.max(...changes.map(Number))

/** Milliseconds for a change of the tables: a million parts of jobs take some seconds. */
const migrationTime = 3_600_000

/** The first version whose tables can be changed. */
const firstVersion = 9

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
      )`.run(statements)
    await sessions.run(statements)
  })
}

/** Those of an earlier version are changed. Rejects with an error of one line when that is not possible. */
export async function createTables(database: Database, schema: string): Promise<'created' | 'changed' | undefined> {
  return database.transaction(async statements => {
    await lockVersions.run(statements)
    const version = await readVersion(statements)
    if (version === currentVersion) return undefined
    if (version > currentVersion || (version > 0 && version < firstVersion)) requireCurrent(schema, version)
    const { grants } = await grantsOfViews.one(statements)
    if (version === 0) await raw(createRecordTables + readText('tables')).run(statements)
    for (let next = version + 1; version > 0 && next <= currentVersion; next += 1) {
      await raw(readText(`version-${next}`)).run(statements, migrationTime)
    }
    if (version > 0) await raw(readText('drop-programs')).run(statements)
    const programs = readText('programs') + deletionOfUnusedRows + keepingOfRows
    await raw(programs + describeRecordTables + readText('views') + grants).run(statements)
    if (version === 0) await addFirstRows(statements)
    await sql`insert into schema_versions (version) values (${currentVersion})`.run(statements)
    return version === 0 ? 'created' : 'changed'
  })
}

/** At each start, as the server may have got the extension since. */
export async function indexTexts(database: Database): Promise<void> {
  await database.transaction(async statements => {
    await lockVersions.run(statements)
    await raw(readText('text-index')).run(statements, migrationTime)
  })
}

/** Two hosts that start together wait for each other. */
const lockVersions = sql`lock table schema_versions in share row exclusive mode`

/** Statements that let the same roles read the views after these were made anew. */
const grantsOfViews = sql<{ grants: string }>`
  select coalesce(string_agg(format(
    'grant select on %I to %s%s;', relname,
    case grantee when 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end,
    case when is_grantable then ' with grant option' else '' end
  ), ' '), '') as grants
  from pg_class, aclexplode(relacl)
  where relnamespace = current_schema()::regnamespace and relkind = 'v' and privilege_type = 'SELECT'
    and grantee <> relowner`

const readText = (name: string) => readFileSync(new URL(`./${name}.sql`, import.meta.url), 'utf8')

/** Rejects when the tables are of another version, or missing. Changes nothing. */
export async function requireCurrentVersion(database: Database, schema: string): Promise<void> {
  const names = sql<{ name: string | null }>`select to_regclass('schema_versions')::text as name`
  const { name } = await names.one(database.read)
  requireCurrent(schema, name === null ? 0 : await readVersion(database.read))
}

function requireCurrent(schema: string, version: number): void {
  if (version !== currentVersion) throw new Error(`store: ${versionMismatch(schema, version)}`)
}

export const versionMismatch = (schema: string, version: number): string =>
  `tables of schema ${schema}: expected version ${currentVersion}, got ${version || 'none'}`

/** Only when it is missing: the user need not have the right to create one. */
async function createSchema(statements: Statements, schema: string): Promise<void> {
  const schemas = await sql`select 1 from pg_namespace where nspname = ${schema}`.run(statements)
  if (schemas === 0) await sql`create schema if not exists ${raw(`"${schema}"`)}`.run(statements)
}

async function readVersion(statements: Statements): Promise<number> {
  const newest = sql<{ version: number }>`select coalesce(max(version), 0) as version from schema_versions`
  return (await newest.one(statements)).version
}

/** Repository 1 always exists, and so do the filesystems whose ids consoles know. */
async function addFirstRows(statements: Statements): Promise<void> {
  await sql`insert into repositories (id, name) values (1, 'default')`.run(statements)
  await sql`select setval(pg_get_serial_sequence('repositories', 'id'), 1)`.run(statements)
  await sql`
    insert into filesystems (id, name)
    select number - 1, name from unnest(${fixedFilesystems}::text[]) with ordinality as names (name, number)
  `.run(statements)
  await sql`select setval(pg_get_serial_sequence('filesystems', 'id'), ${lastFixedId})`.run(statements)
}
