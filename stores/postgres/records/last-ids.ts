// The last ids that the tables have assigned: no sequence of them ever goes back.
import type { Statements } from '../connection/database.ts'
import { raw, sql } from '../connection/sql.ts'

const sequenceOf = raw(`pg_get_serial_sequence(listed.name, 'id')::regclass`)

/** 0 for a table that has not assigned any. */
export async function readLastIds(statements: Statements, tables: readonly string[]): Promise<Map<string, number>> {
  const rows = await sql<{ name: string; last: number }>`
    select listed.name, coalesce(pg_sequence_last_value(${sequenceOf}), 0) as last
    from unnest(${tables}::text[]) as listed (name)
  `.all(statements)
  return new Map(rows.map(({ name, last }) => [name, last]))
}

/** Cannot be rolled back: to be the last statement of a transaction. */
export async function raiseLastIds(statements: Statements, lastIds: ReadonlyMap<string, number>): Promise<void> {
  await sql`
    select setval(${sequenceOf}, listed.last)
    from unnest(${[...lastIds.keys()]}::text[], ${[...lastIds.values()]}::bigint[]) as listed (name, last)
    where listed.last > coalesce(pg_sequence_last_value(${sequenceOf}), 0)
  `.run(statements)
}
