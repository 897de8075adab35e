// The triggers that delete lists and names of interned tables with their last use.
import { lastFixedId } from '../../rules/filesystem-names.ts'

/** A column that names rows of an interned table. */
interface Use {
  table: 'partitions' | 'images' | 'computers'
  column: string
  interned: string
}

/** The first one of each interned table is the one that may have thousands of rows. */
const uses: readonly Use[] = [
  { table: 'partitions', column: 'software_profile_id', interned: 'software_profiles' },
  { table: 'images', column: 'software_profile_id', interned: 'software_profiles' },
  { table: 'computers', column: 'hardware_profile_id', interned: 'hardware_profiles' },
  { table: 'partitions', column: 'operating_system_id', interned: 'operating_systems' },
  { table: 'partitions', column: 'filesystem_id', interned: 'filesystems' },
]

/** More uses than transactions can remove at the same moment, one each. */
const many = 200

const valuesOf = (key: 'table' | 'interned') => [...new Set(uses.map(use => use[key]))]

const isUsed = ({ table, column }: Use, more = '') =>
  `exists (select from ${table} used where used.${column} = shared.id${more})`

/**
 * The function deletes the candidates that have no use. Of two transactions that remove the last two uses, each sees the
 * other's one: the second waits until the first has ended, and sees that it is the last. Those who leave many uses lock
 * the row together, so that a thousand computers can change from one list to another at the same time.
 */
function createFunction(interned: string): string {
  const usesOfTable = uses.filter(use => use.interned === interned)
  const [hasMany] = usesOfTable.map(use => isUsed(use, ` offset ${many}`))
  // Earlier rows always exist.
  const candidates = `${interned} shared where id = any (candidates) and id > ${interned === 'filesystems' ? lastFixedId : 0}`
  return `
    create function delete_unused_${interned}(candidates bigint[]) returns void language plpgsql as $$
    begin
      perform from ${candidates} and not ${hasMany} order by id for no key update;
      perform from ${candidates} and ${hasMany} order by id for share;
      delete from ${candidates} and not (${usesOfTable.map(use => isUsed(use)).join(' or ')});
    end $$;`
}

/** Deletions can be of thousands of rows: once for each statement. */
function afterDelete(table: string): string {
  const calls = uses.flatMap(use =>
    use.table === table
      ? `perform delete_unused_${use.interned}((select array_agg(distinct ${use.column}) from old_rows));`
      : [],
  )
  return `
    create function after_delete_of_${table}() returns trigger language plpgsql as $$
    begin
      if exists (select from old_rows) then
        ${calls.join(' ')}
      end if;
      return null;
    end $$;
    create trigger delete_unused_rows after delete on ${table} referencing old table as old_rows
    for each statement execute function after_delete_of_${table}();`
}

/** Updates are of few rows, and seldom change what a row names: once for each row that names another one. */
const afterUpdate = ({ table, column, interned }: Use) => `
  create function after_update_of_${table}_${column}() returns trigger language plpgsql as $$
  begin
    perform delete_unused_${interned}(array[old.${column}]);
    return null;
  end $$;
  create trigger delete_unused_${interned} after update of ${column} on ${table}
  for each row when (old.${column} <> new.${column} or (old.${column} is not null and new.${column} is null))
  execute function after_update_of_${table}_${column}();`

export const deletionOfUnusedRows: string = [
  ...valuesOf('interned').map(createFunction),
  ...valuesOf('table').map(afterDelete),
  ...uses.map(afterUpdate),
].join('')
