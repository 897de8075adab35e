// Stores events in the fleet's order.
import type { HostKey, Published } from '../../store.ts'
import type { Statements } from '../connection/database.ts'
import { type Sql, sql } from '../connection/sql.ts'
import { toPayload } from './bells.ts'
import { jsonLines } from './json-lines.ts'
import { raiseCounters } from './presence-rows.ts'

/** After the last numbers in the item `counters` of a statement's `with`; the ids of those that were lost come first. */
export const storeEvents = (host: string, { events, lost = 0 }: Pick<Published, 'events' | 'lost'>): Sql => sql`
  insert into fleet_events (id, host, time, event)
  select counters.event + ${lost}::bigint + rows.number, ${host}, rows.time, rows.event::json
  from counters, unnest(
    ${events.map(({ time }) => time)}::bigint[],
    ${jsonLines(events.map(({ event }) => event))}
  ) with ordinality as rows (time, event, number)`

/** The last events of a host, whose row is locked or deleted by the same transaction. */
export async function storeLastEvents(
  statements: Statements,
  { name, channel, events }: Pick<HostKey, 'name'> & Pick<Published, 'events'> & { channel: string },
): Promise<void> {
  if (events.length === 0) return
  await sql`
    with member as (select),
    counters as (${raiseCounters({ events: events.length, connections: 0 })}),
    stored as (${storeEvents(name, { events })})
    select pg_notify(${channel}, ${toPayload({ type: 'news' })}) from counters
  `.run(statements)
}
