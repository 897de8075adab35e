// Tables of the version before the present one are changed, with their views and functions.
import { suite } from 'uvu'
import { equal } from 'uvu/assert'
import open from '../../stores/postgres/index.ts'
import { postgresPrograms, startPostgres } from '../harness/postgres.ts'
import { skipFile } from '../harness/skip-file.ts'
import { silent } from '../harness/store-folders.ts'

if (postgresPrograms === undefined) skipFile('postgresql')

const test = suite('tables of the version before')

test('tables of version 11 that a daemon has made are changed', async () => {
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
      drop trigger count_changes on computers; drop trigger count_changes on rooms; drop table computer_groups;
      alter table computers drop column tags; alter table rooms drop column tags;
      alter table tokens drop column groups; alter table users drop column groups; alter table jobs drop column query;
      alter table tasks drop column query, drop column group_id;
      alter table scheduled_commands drop column query, drop column group_id;
      create trigger count_changes after insert or update or delete or truncate on rooms
      for each statement execute function count_scope_change();
      create trigger count_changes after insert or update or delete or truncate on computers
      for each statement execute function count_scope_change();
      delete from schema_versions; insert into schema_versions (version) values (11)
    `)
    await (await open(options, silent)).close()
    await client.query('select computers.tags, rooms.tags from computers, rooms limit 0')
    equal(await countPrograms(), before)
  } finally {
    await client.end()
    await server.stop()
  }
})

test.run()
