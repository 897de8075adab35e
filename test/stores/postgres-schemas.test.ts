// Schemas of a PostgreSQL server that tests use again: they are like new ones.
import type { Client } from 'pg'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import open from '../../stores/postgres/index.ts'
import { fill } from '../conformance/fill.ts'
import { postgresPrograms, startPostgres } from '../harness/postgres.ts'
import { skipFile } from '../harness/skip-file.ts'
import { silent } from '../harness/store-folders.ts'
import { UsedSchemas } from '../harness/used-schemas.ts'

if (postgresPrograms === undefined) skipFile('postgresql')

const server = await startPostgres()

const schemas = new UsedSchemas(server.storeOptions(''))

async function openNew() {
  const schema = schemas.take('store')
  const store = await open({ ...server.storeOptions(schema), path: '' }, silent)
  return {
    schema,
    store,
    async remove() {
      await store.close()
      await schemas.giveBack(schema)
    },
  }
}

const test = suite('schemas that are used again')
test.after(() => server.stop())

test('a schema that is used again has the rows and the next ids of a new one', async () => {
  const [used, unused] = [await openNew(), await openNew()]
  const client = await server.connect()
  const [schema, other] = [used.schema, unused.schema]
  try {
    await fill(used.store, 'first')
    await client.query(`
      set search_path to ${schema};
      insert into centers (name, comment) select generate_series(1, 5000), '';
      insert into fleet_counters values (true, 1, 2, 3);
      delete from filesystems where id = 21; update repositories set ip = 'x' where id = 1
    `)
  } finally {
    await used.remove()
    await unused.remove()
  }
  const [now, expected] = [await contents(client, schema), await contents(client, other)]
  await client.end()
  assert.equal(now, expected)
})

test('parts of names of programs are found by an index, but where the user may not create the extension', async () => {
  const client = await server.connect()
  await client.query('drop extension if exists pg_trgm cascade; create role limited login')
  await client.query('create schema limited authorization limited; revoke create on schema public from public')
  const indexes: number[] = []
  for (const options of [{ ...server.storeOptions('limited'), user: 'limited' }, server.storeOptions('indexed')]) {
    const store = await open({ ...options, path: '' }, silent)
    assert.equal(await store.computers.search({ program: '*blender*' }), [])
    await store.close()
    const found = await client.query(
      `select 1 from pg_indexes where schemaname = '${options.schema}' and indexname = 'program_names_text'`,
    )
    indexes.push(found.rows.length)
  }
  await client.query('set search_path to indexed; set enable_seqscan to off')
  const plan = await client.query(
    `explain select name from program_names where lower(name collate "default") like '%blender%'`,
  )
  await client.end()
  assert.equal(indexes, [0, 1])
  assert.match(JSON.stringify(plan.rows), 'program_names_text')
})

/** The rows of each table, and the last id of each sequence. */
async function contents(client: Client, schema = '') {
  const tables = await client.query(`select tablename as name from pg_tables where schemaname = '${schema}' order by 1`)
  const sequences = await client.query(
    `select sequencename, last_value from pg_sequences where schemaname = '${schema}' order by 1`,
  )
  const rows = []
  for (const { name } of tables.rows) {
    const columns = name === 'schema_versions' ? 'version' : '*'
    rows.push([name, (await client.query(`select ${columns} from ${schema}.${name} order by 1`)).rows])
  }
  assert.ok(rows.length > 20 && sequences.rows.length > 10)
  return { rows, sequences: sequences.rows }
}

test.run()
