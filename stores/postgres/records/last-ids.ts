// The last ids that the collections have assigned: no sequence of them ever goes back.
import type { Statements } from '../connection/database.ts'
import { raw, sql } from '../connection/sql.ts'
import { raiseLastEvent, readLastEvent } from '../modules/stored-events.ts'
import { type CollectionName, tables } from './tables.ts'

export type IdCollection = CollectionName | 'events'
export type LastIds = ReadonlyMap<IdCollection, number>

const sequenceOf = raw(`pg_get_serial_sequence(listed.name, 'id')::regclass`)

/** 0 for a collection that has not assigned any. */
export async function readLastIds(statements: Statements): Promise<LastIds> {
  // `as`: the keys of the constant.
  const names = Object.keys(tables) as CollectionName[]
  const rows = await sql<{ last: number }>`
    select coalesce(pg_sequence_last_value(${sequenceOf}), 0) as last
    from unnest(${names.map(name => tables[name].name)}::text[]) with ordinality as listed (name, number)
    order by listed.number
  `.all(statements)
  const lastIds = names.map((name, at): [IdCollection, number] => [name, (rows[at]?.last ?? 0) - tables[name].idOffset])
  return new Map([...lastIds, ['events', await readLastEvent(statements)]])
}

/** Cannot be rolled back: to be the last step of a transaction. */
export async function raiseLastIds(statements: Statements, lastIds: LastIds): Promise<void> {
  await raiseLastEvent(statements, lastIds.get('events') ?? 0)
  const sequences = [...lastIds].flatMap(([name, last]) => (name === 'events' ? [] : { ...tables[name], last }))
  const names = sequences.map(({ name }) => name)
  const ids = sequences.map(({ last, idOffset }) => last + idOffset)
  await sql`
    select setval(${sequenceOf}, listed.last)
    from unnest(${names}::text[], ${ids}::bigint[]) as listed (name, last)
    where listed.last > coalesce(pg_sequence_last_value(${sequenceOf}), 0)
  `.run(statements)
}
