// Names that many partitions have: each one is stored once, while a partition has it.
import type { Statements } from '../connection/database.ts'
import { raw, sql } from '../connection/sql.ts'

/**
 * Adds those that are missing, in their sequence, and keeps the others from being deleted until the transaction ends.
 * A lock lets one transaction after the other add names, so that no id is assigned in vain.
 */
export async function addNames(
  statements: Statements,
  table: 'operating_systems' | 'filesystems',
  names: readonly string[],
): Promise<void> {
  const distinct = [...new Set(names)]
  if (distinct.length === 0) return
  await sql`select pg_advisory_xact_lock(hashtext('fleet-host names'), hashtext(current_schema()))`.run(statements)
  await sql`select from ${raw(table)} where name = any (${distinct}::text[]) order by id for key share`.run(statements)
  await sql`
    insert into ${raw(table)} (name)
    select name from unnest(${distinct}::text[]) with ordinality as listed (name, at)
    where not exists (select from ${raw(table)} stored where stored.name = listed.name)
    order by at
  `.run(statements)
}
