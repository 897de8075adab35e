// Version 1 of the tables, fourth part: lists and names that nothing names any more are deleted with their last use.
import { type RawBuilder, sql } from 'kysely'

/** A column that names rows of a shared table. */
interface Use {
  table: 'partitions' | 'images' | 'computers'
  column: string
}

interface SharedTable {
  table: string
  /** The first one is the one that may have thousands of rows. */
  uses: readonly [Use, ...Use[]]
  /** Rows up to this id always exist. */
  lastFixed: number
}

const software: SharedTable = {
  table: 'software_profiles',
  uses: [
    { table: 'partitions', column: 'software_profile' },
    { table: 'images', column: 'software_profile' },
  ],
  lastFixed: 0,
}
const hardware: SharedTable = {
  table: 'hardware_profiles',
  uses: [{ table: 'computers', column: 'hardware_profile' }],
  lastFixed: 0,
}
const systems: SharedTable = {
  table: 'operating_systems',
  uses: [{ table: 'partitions', column: 'operating_system' }],
  lastFixed: 0,
}
const filesystems: SharedTable = {
  table: 'filesystems',
  uses: [{ table: 'partitions', column: 'filesystem' }],
  lastFixed: 21,
}
const shared = [software, hardware, systems, filesystems]

/** More uses than transactions can remove at the same moment, one each. */
const many = 200

const functionOf = (table: string) => sql.id(`delete_unused_${table}`)

/**
 * The function deletes the candidates that have no use. Of two transactions that remove the last two uses, each sees the
 * other's one: the second waits until the first has ended, and sees that it is the last. Those who leave many uses lock
 * the row together, so that a thousand computers can change from one list to another at the same time.
 */
function createFunction({ table, uses, lastFixed }: SharedTable): RawBuilder<unknown> {
  const [first] = uses
  const isUsed = uses.map(
    use => sql`exists (select from ${sql.table(use.table)} used where used.${sql.ref(use.column)} = shared.id)`,
  )
  const hasMany = sql`exists (
    select from ${sql.table(first.table)} used where used.${sql.ref(first.column)} = shared.id offset ${sql.lit(many)}
  )`
  return sql`
    create function ${functionOf(table)}(candidates bigint[]) returns void language plpgsql as $$
    begin
      perform from ${sql.table(table)} shared where id = any (candidates) and id > ${sql.lit(lastFixed)} and not ${hasMany}
        order by id for no key update;
      perform from ${sql.table(table)} shared where id = any (candidates) and id > ${sql.lit(lastFixed)} and ${hasMany}
        order by id for share;
      delete from ${sql.table(table)} shared where id = any (candidates) and id > ${sql.lit(lastFixed)}
        and not (${sql.join(isUsed, sql` or `)});
    end $$`
}

/** Deletions can be of thousands of rows: once for each statement. */
function afterDelete(table: Use['table']): RawBuilder<unknown>[] {
  const name = sql.id(`after_delete_of_${table}`)
  const calls = usesIn(table).map(
    ({ sharedTable, column }) =>
      sql`perform ${functionOf(sharedTable)}((select array_agg(distinct ${sql.ref(column)}) from old_rows));`,
  )
  return [
    sql`
      create function ${name}() returns trigger language plpgsql as $$
      begin
        if exists (select from old_rows) then
          ${sql.join(calls, sql` `)}
        end if;
        return null;
      end $$`,
    sql`
      create trigger delete_unused_rows after delete on ${sql.table(table)} referencing old table as old_rows
      for each statement execute function ${name}()`,
  ]
}

/** Updates are of few rows, and seldom change what a row names: once for each row that names another one. */
function afterUpdate(table: Use['table']): RawBuilder<unknown>[] {
  return usesIn(table).flatMap(({ sharedTable, column }) => {
    const name = sql.id(`after_update_of_${table}_${column}`)
    return [
      sql`
        create function ${name}() returns trigger language plpgsql as $$
        begin
          perform ${functionOf(sharedTable)}(array[old.${sql.ref(column)}]);
          return null;
        end $$`,
      sql`
        create trigger ${sql.id(`delete_unused_${sharedTable}`)} after update of ${sql.ref(column)} on ${sql.table(table)}
        for each row when (old.${sql.ref(column)} <> new.${sql.ref(column)}
          or (old.${sql.ref(column)} is not null and new.${sql.ref(column)} is null))
        execute function ${name}()`,
    ]
  })
}

const usesIn = (table: Use['table']) =>
  shared.flatMap(({ table: sharedTable, uses }) =>
    uses.filter(use => use.table === table).map(({ column }) => ({ sharedTable, column })),
  )

const users = ['partitions', 'images', 'computers'] as const

export const deletionOfUnusedRows = [
  ...shared.map(createFunction),
  ...users.flatMap(afterDelete),
  ...users.flatMap(afterUpdate),
]
