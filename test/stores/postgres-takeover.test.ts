// A database that an earlier version of the daemon made, in `fixtures/`: its tables are changed when it is opened.

import { readFile } from 'node:fs/promises'
import { suite } from 'uvu'
import { equal, is, ok } from 'uvu/assert'
import open from '../../stores/postgres/index.ts'
import { entriesOf, toStream } from '../conformance/fill.ts'
import { job } from '../conformance/work-samples.ts'
import { postgresPrograms, startPostgres } from '../harness/postgres.ts'
import { skipFile } from '../harness/skip-file.ts'
import { silent } from '../harness/store-folders.ts'
import { fixture, readEntries } from './fixture-files.ts'

if (postgresPrograms === undefined) skipFile('postgresql')

const test = suite('databases of earlier versions')

/** The schema in the fixture. */
const earlier = 'fleet_9'

const server = await startPostgres()
const client = await server.connect()
const optionsOf = (schema: string) => ({ ...server.storeOptions(schema), path: '' })

test.before(async () => {
  for (const name of ['postgres-9.sql', 'postgres-10.sql']) {
    await client.query(await readFile(fixture(name), 'utf8'))
  }
})

test.after(async () => {
  await client.end()
  await server.stop()
})

test('a database of version 9 opens with its data, and takes writes', async () => {
  const lines: string[] = []
  const log = { info: (_: string, line: string) => void lines.push(line), warn() {} }
  const store = await open(optionsOf(earlier), log)
  ok(lines.some(line => line.endsWith('tables changed')))
  const copy = await open(optionsOf('fleet_copy'), silent)
  // The fixture was made of this backup.
  await copy.backup.load(toStream(await readEntries('backup-2.jsonl')))
  equal(await entriesOf(store), await entriesOf(copy))
  const id = await store.jobs.add(job({ origin: 'schedule', schedule: 5 }), [])
  const started = await store.jobs.list({ schedule: 5, limit: 10 })
  equal(
    started.map(job => job.id),
    [id],
  )
  const rooms = (await store.rooms.list()).length
  await store.centers.delete(1)
  ok((await store.rooms.list()).length < rooms)
  await store.close()
  await copy.close()
})

test('a database of version 10 opens with its data, byte for byte', async () => {
  await client.query(`
    create role reports; create role "other reports";
    grant usage on schema fleet_10 to reports;
    grant select on fleet_10.report_computers to reports, public;
    grant select on fleet_10.report_job_parts to "other reports" with grant option`)
  const store = await open(optionsOf('fleet_10'), silent)
  const entries = await entriesOf(store)
  equal(
    entries.map(entry => JSON.stringify(entry)),
    // What the version that made the fixture returned.
    (await readFile(fixture('entries-10.jsonl'), 'utf8')).trimEnd().split('\n'),
  )
  await store.close()
})

test('who could read the views can read the new ones', async () => {
  const { rows } = await client.query(`
    select role, view, has_table_privilege(role, 'fleet_10.report_' || view, privilege) as can
    from (values
      ('reports', 'computers', 'select'), ('reports', 'job_parts', 'select'), ('other reports', 'computers', 'select'),
      ('other reports', 'job_parts', 'select with grant option'), ('other reports', 'hardware', 'select')
    ) as listed (role, view, privilege)`)
  equal(
    rows.map(({ can }) => can),
    [true, false, true, true, false],
  )
  await client.query('set role reports')
  const { rows: computers } = await client.query(
    "select ip, mac from fleet_10.report_computers where ip << '10.0.0.0/8'",
  )
  await client.query('reset role')
  equal(computers, [{ ip: '10.0.0.7', mac: '0a:1b:2c:3d:4e:5f' }])
})

test('the tables of earlier versions have become what new tables are', async () => {
  await (await open(optionsOf('fleet_new'), silent)).close()
  const made = await describe('fleet_new')
  for (const schema of [earlier, 'fleet_10']) {
    equal(await describe(schema), made)
    const { rows } = await client.query(`select max(version) as version from ${schema}.schema_versions`)
    equal(rows, [{ version: 17 }])
  }
  ok(made.length > 300)
})

test('tables of a version that was never released are refused with one line', async () => {
  await (await open(optionsOf('fleet_8'), silent)).close()
  for (const version of [8, 18]) {
    await client.query(`update fleet_8.schema_versions set version = ${version}`)
    const error: unknown = await open(optionsOf('fleet_8'), silent).catch(error => error)
    is(error instanceof Error && error.message, `store: tables of schema fleet_8: expected version 17, got ${version}`)
  }
})

/** A line for each column, constraint, index, function, trigger, sequence and view. */
async function describe(schema: string): Promise<string[]> {
  await client.query(`set search_path to ${schema}`)
  const { rows } = await client.query<{ line: string }>(`
    select concat_ws(' ', attrelid::regclass, relkind, relpersistence, attname, atttypid::regtype, attnotnull,
      attidentity, attcollation::regcollation, pg_get_expr(adbin, adrelid)) as line
    from pg_attribute join pg_class on pg_class.oid = attrelid
    left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where relnamespace = '${schema}'::regnamespace and attnum > 0 and not attisdropped and relkind <> 'i'
    union all select concat_ws(' ', relname, attname, description)
    from pg_description join pg_class on pg_class.oid = objoid
    left join pg_attribute on attrelid = objoid and attnum = objsubid
    where relnamespace = '${schema}'::regnamespace and classoid = 'pg_class'::regclass
    union all select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
    from pg_constraint where connamespace = '${schema}'::regnamespace
    union all select indexdef from pg_indexes where schemaname = '${schema}'
    union all select concat_ws(' ', oid::regprocedure, prosrc)
    from pg_proc where pronamespace = '${schema}'::regnamespace
    union all select pg_get_triggerdef(pg_trigger.oid)
    from pg_trigger join pg_class on pg_class.oid = tgrelid
    where relnamespace = '${schema}'::regnamespace and not tgisinternal
    union all select concat_ws(' ', viewname, definition) from pg_views where schemaname = '${schema}'
  `)
  // Quotation marks, spaces and names of columns without a name differ in what was dumped and loaded.
  return rows.map(({ line }) => line.replaceAll(`${schema}.`, '').replaceAll(/ AS text\b|"|\s/g, '')).sort()
}

test.run()
