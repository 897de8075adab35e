// Tables of the version before the present one are changed, with their views and functions.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import open from '../../stores/postgres/index.ts'
import { postgresPrograms, startPostgres } from '../harness/postgres.ts'
import { skipFile } from '../harness/skip-file.ts'
import { silent } from '../harness/store-folders.ts'

if (postgresPrograms === undefined) skipFile('postgresql')

const test = suite('tables of the version before')

test('tables of version 12 that a daemon has made are changed', async () => {
  const server = await startPostgres()
  const client = await server.connect()
  try {
    const options = { ...server.storeOptions('store'), path: '' }
    await (await open(options, silent)).close()
    const countPrograms = async () => {
      const query = `select (select count(*) from pg_proc where pronamespace = 'store'::regnamespace) as functions,
        (select count(*) from pg_trigger where not tgisinternal) as triggers`
      return (await client.query(query)).rows
    }
    const before = await countPrograms()
    await client.query(`
      set search_path to store;
      drop function keep_row cascade; drop table undos, kept_rows; alter table jobs drop column retry_of;
      alter table procedures drop column planned; alter table tasks drop column planned;
      delete from schema_versions; insert into schema_versions (version) values (12)
    `)
    const store = await open(options, silent)
    const id = Number(await store.groups.add({ name: 'exam', where: 'tag:exam' }))
    const note = { at: 1_700_000_000_000, by: 'admin', account: 'admin' }
    const kept = await store.undo.keep(note, bound => bound.groups.delete(id))
    await store.undo.apply(kept.item?.id ?? 0, note.at)
    equal(await store.groups.list(), [{ id, name: 'exam', where: 'tag:exam' }])
    await store.close()
    equal(await countPrograms(), before)
  } finally {
    await client.end()
    await server.stop()
  }
})

test('tables of version 16 that a daemon has made are changed', async () => {
  const server = await startPostgres()
  const client = await server.connect()
  try {
    const options = { ...server.storeOptions('store'), path: '' }
    const before = await open(options, silent)
    const id = Number(await before.groups.add({ name: 'exam', where: 'tag:exam' }))
    await before.close()
    await client.query(`
      set search_path to store;
      alter table undos drop column changes;
      delete from schema_versions; insert into schema_versions (version) values (16)
    `)
    const store = await open(options, silent)
    const kept = await store.undo.keep({ at: 1_700_000_000_000, by: 'admin', account: 'admin' }, bound =>
      bound.groups.delete(id),
    )
    equal(
      (await store.undo.list()).map(item => item.id),
      [kept.item?.id],
    )
    await store.close()
  } finally {
    await client.end()
    await server.stop()
  }
})

test.run()
