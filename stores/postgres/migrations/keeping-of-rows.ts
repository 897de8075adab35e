// The triggers that keep the rows which a transaction changes, where it says that these can be taken back.
import { editedNames, internedNames, keptNames } from '../../rules/undo/kept-entries.ts'
import { type CollectionName, partitions, tables } from '../records/tables.ts'

/** For `set_config`, until the end of a transaction. */
export const keepingSetting = 'fleet_host.keeping'

// `as`: the keys of the constant.
const names = Object.keys(tables) as CollectionName[]
const isKept = (name: string) => keptNames.has(name) || internedNames.some(each => each === name)

/** What of a table is kept besides deleted rows. */
const changesOf: Readonly<Record<string, string>> = {
  ...Object.fromEntries(editedNames.map(name => [tables[name].name, 'update or delete'])),
  computers: 'insert or update or delete',
  // The deletion of an image takes it from them.
  partitions: 'update of image_id or delete',
}

const keptTables = [...names.filter(isKept).map(name => tables[name].name), partitions.name]

/** Row by row: those with all rows of a statement would collect them for each statement that keeps none. */
export const keepingOfRows: string = [
  `
  create function keep_row() returns trigger language plpgsql as $$
  begin
    insert into kept_rows (transaction, name, operation, content)
    values (txid_current(), tg_table_name, tg_op, case tg_op when 'INSERT' then to_json(new) else to_json(old) end);
    return null;
  end $$;`,
  ...keptTables.map(
    table => `
  create trigger keep_row after ${changesOf[table] ?? 'delete'} on ${table} for each row
  when (current_setting('${keepingSetting}', true) = 'on') execute function keep_row();`,
  ),
].join('')
