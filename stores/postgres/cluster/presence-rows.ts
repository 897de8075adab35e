// Agents as rows of the fleet's presence: the statements that write and read them, and the counters of their order.
import type { PresenceRow, PresentAgent, Published } from '../../store.ts'
import type { Statements } from '../connection/database.ts'
import { fromColumn, jsonLines, raw, type Sql, sql } from '../connection/sql.ts'

/** See `tables.sql`: after a crash of the server the counters begin beyond all earlier ones. */
const firstNumber = raw('(extract(epoch from clock_timestamp()) * 1000000)::bigint')

/**
 * Raises the counters and returns the last numbers before. The row's lock is held until the end of the transaction:
 * whoever publishes waits for it, so that numbers become visible in their order. Not without a row in the item `member` of
 * the statement's `with`.
 */
export const raiseCounters = (
  raised: { events: number; connections: number } = { events: 0, connections: 0 },
): Sql => sql`
  insert into fleet_counters as counters (version, event, connection)
  select first.number + 1, first.number + ${raised.events}::bigint, first.number + ${raised.connections}::bigint
  from (select ${firstNumber} as number from member) as first
  on conflict (one) do update set
    version = counters.version + 1,
    event = counters.event + ${raised.events}::bigint,
    connection = counters.connection + ${raised.connections}::bigint
  returning version, event - ${raised.events}::bigint as event, connection - ${raised.connections}::bigint as connection`

/** Agents that are connected to other members. */
const held = sql`
  select agents.addr, agents.host, agents.since from agents
  join hosts on hosts.name = agents.host and hosts.epoch = agents.epoch
  where not agents.gone`

/** All agents of a host are gone. Those that are connected to no other member. */
export async function removeAgents(statements: Statements, host: string): Promise<string[]> {
  const rows = await sql<{ addr: string }>`
    with member as (select from hosts where name = ${host}),
    counters as (${raiseCounters()}),
    removed as (
      update agents set gone = true, version = counters.version, changed = clock_timestamp()
      from counters
      where agents.host = ${host} and not gone
      returning agents.addr
    )
    select addr from removed
    where not exists (select from (${held}) as held where held.addr = removed.addr and held.host <> ${host})
    order by addr
  `.all(statements)
  return rows.map(({ addr }) => addr)
}

/** Which of the addresses have a newer connection to another host than the one to this host. */
export async function findReplaced(
  statements: Statements,
  { key, addrs }: Pick<Published, 'key'> & { addrs: readonly string[] },
): Promise<Set<string>> {
  const rows = await sql<{ addr: string }>`
    select held.addr from (${held}) as held
    left join agents as own on own.addr = held.addr and own.host = ${key.name}
    where held.addr = any(${addrs}::text[]) and held.host <> ${key.name} and held.since > coalesce(own.since, 0)
  `.all(statements)
  return new Set(rows.map(({ addr }) => addr))
}

/** Stores what is in the items `member` and `counters` of a statement's `with`; `addr` and `since` of each row. */
export function storeAgents(agents: readonly PresentAgent[]): Sql {
  const column = <Value>(read: (agent: PresentAgent) => Value) => agents.map(read)
  let connections = 0
  const numbers = agents.map(({ since }) => {
    if (since !== undefined) return null
    connections += 1
    return connections
  })
  return sql`
    insert into agents (addr, host, epoch, version, gone, since, connected, state, status, speed, result, details)
    select
      rows.addr, member.name, member.epoch, counters.version, false,
      coalesce(rows.since, counters.connection + rows.number),
      ${fromColumn('rows.connected', 'timestamptz')}, rows.state, rows.status, rows.speed, rows.result, rows.details::json
    from member, counters, unnest(
      ${column(({ addr }) => addr)}::text[],
      ${column(({ since }) => since)}::bigint[],
      ${numbers}::bigint[],
      ${column(({ connected }) => connected)}::bigint[],
      ${column(({ state }) => state)}::text[],
      ${column(({ status }) => status)}::text[],
      ${column(({ speed }) => speed)}::double precision[],
      ${column(({ result }) => result)}::text[],
      ${jsonLines(column(({ details }) => details))}
    ) as rows (addr, since, number, connected, state, status, speed, result, details)
    on conflict (addr, host) do update set
      epoch = excluded.epoch, version = excluded.version, gone = false, since = excluded.since,
      connected = excluded.connected, state = excluded.state, status = excluded.status, speed = excluded.speed,
      result = excluded.result, details = excluded.details
    returning addr, since`
}

/** Also stores those that have no row: other hosts may have one in memory that was lost in the database. */
export const storeGone = (addrs: readonly string[]): Sql => sql`
  insert into agents (addr, host, epoch, version, gone, since, connected, state, status, speed, result, details)
  select rows.addr, member.name, member.epoch, counters.version, true, 0, null, '', '', 0, 'unknown', '{}'
  from member, counters, unnest(${addrs}::text[]) as rows (addr)
  on conflict (addr, host) do update set
    epoch = excluded.epoch, version = excluded.version, gone = true, changed = clock_timestamp()`

/** Those of all hosts but `except` that changed after a version, and the newest version. */
export async function readAgents(
  statements: Statements,
  after: number,
  except = '',
): Promise<{ version: number; agents: PresenceRow[] }> {
  const rows = await sql<Omit<PresenceRow, 'details'> & { details: string; newest: number }>`
    select
      counters.version as newest, agents.addr, agents.host as name, agents.epoch, agents.since, agents.gone,
      coalesce(agents.connected, 'epoch') as connected, agents.state, agents.status, agents.speed, agents.result, agents.details
    from fleet_counters as counters
    left join agents on agents.version > ${after} and agents.host <> ${except}
    order by agents.version
  `.all(statements)
  const [first] = rows
  if (!first) return { version: after, agents: [] }
  // Null in the one row without an agent.
  if (first.addr === null) return { version: first.newest, agents: [] }
  const agents = rows.map(({ newest: _newest, details, ...row }) => ({ ...row, details: JSON.parse(details) }))
  return { version: first.newest, agents }
}
