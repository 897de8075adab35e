// Presence and events of all hosts, in one order.
import type { ClusterEvent, HostKey, Publications, Published } from '../../store.ts'
import type { Database, Statements } from '../connection/database.ts'
import { codeOf } from '../connection/database-error.ts'
import { fromColumn, jsonLines, type Sql, sql, toTable } from '../connection/sql.ts'
import { memberRow } from './member-row.ts'
import { toPayload } from './notifications.ts'
import { findReplaced, raiseCounters, readAgents, storeAgents, storeGone } from './presence-rows.ts'

/** Seconds until the row of an agent that is gone is deleted: all hosts have read it long before. */
const goneTime = 60

/** `database` need not wait for the disk: all of these tables are empty after a crash. */
export function publications(database: Database, channel: string): Publications {
  return {
    ...sharedOutputs(database),
    async publish(all) {
      const published = withoutRepetitions(all)
      const { agents, gone, events } = published
      if (agents.length + gone.length + events.length === 0) return new Map()
      const addrs = replaceableAddrs(published)
      const publishing =
        addrs.length === 0
          ? database.write(statements => store(statements, published, channel))
          : database.transaction(async statements => {
              if (!(await lockCounters(statements, published))) return undefined
              const replaced = await findReplaced(statements, { ...published, addrs })
              return store(statements, replaceEvents(published, replaced), channel)
            })
      return publishing.catch(error => {
        if (isRefused.test(codeOf(error))) return 'refused' as const
        throw error
      })
    },
    async read({ version, event, limit, except }) {
      // Presence is read after the events: an event of an agent never comes before the agent.
      const events = await readEvents(database.read, event, limit)
      return { ...(await readAgents(database.read, version, except)), events }
    },
    newest(count) {
      return sql<{ newest: number; first: number }>`
        with counted as (select coalesce(max(event), 0) as newest from fleet_counters)
        select newest, coalesce(
          (select min(id) from (select id from fleet_events order by id desc limit ${count}) as newest_events),
          newest + 1
        ) as first
        from counted
      `.one(database.read)
    },
    async trim(keep) {
      const statement = sql`
        with gone_agents as (
          delete from agents where gone and changed < clock_timestamp() - ${goneTime} * interval '1 second'
        )
        delete from fleet_events
        where id <= (select id from fleet_events order by id desc offset ${keep} limit 1)`
      await database.write(statements => statement.run(statements))
    },
  }
}

/** Codes of errors whose cause is in the values, and of limits of the server. */
const isRefused = /^(22|54)/

/** A statement cannot store a row twice. The last value of an agent counts, and one that is connected is not gone. */
function withoutRepetitions(published: Published): Published {
  const agents = new Map(published.agents.map(agent => [agent.addr, agent]))
  const gone = new Set(published.gone.filter(addr => !agents.has(addr)))
  return { ...published, agents: [...agents.values()], gone: [...gone] }
}

/** Connections of other hosts do not change until the end of the transaction. False when the host is no member. */
async function lockCounters(statements: Statements, { key }: Published): Promise<boolean> {
  const counters = sql`with member as materialized (${memberRow(key)}) ${raiseCounters()}`
  return (await counters.run(statements)) > 0
}

/** The addresses of events that are stored as others when another host has the client. */
function replaceableAddrs({ events, replaceGone }: Published): string[] {
  const addrs = events.map(({ event }): unknown =>
    replaceGone(event) === event ? undefined : Reflect.get(event, 'addr'),
  )
  return [...new Set(addrs.filter(addr => typeof addr === 'string'))]
}

function replaceEvents(published: Published, replaced: ReadonlySet<string>): Published {
  if (replaced.size === 0) return published
  const { replaceGone } = published
  const events = published.events.map(({ time, event }) => {
    const addr: unknown = Reflect.get(event, 'addr')
    return { time, event: typeof addr === 'string' && replaced.has(addr) ? replaceGone(event) : event }
  })
  return { ...published, events }
}

/** One statement: it is a transaction by itself unless it is in one. */
async function store(
  statements: Statements,
  { key, agents, gone, events, lost = 0 }: Published,
  channel: string,
): Promise<Map<string, number> | undefined> {
  const connections = agents.filter(({ since }) => since === undefined).length
  const rows = await sql<{ addr: string | null; since: number }>`
    with member as materialized (${memberRow(key)}),
    counters as (${raiseCounters({ events: lost + events.length, connections })}),
    stored as (${storeAgents(agents)}),
    stored_gone as (${storeGone(gone)}),
    stored_events as (${storeEvents(key.name, { events, lost })}),
    notified as materialized (select pg_notify(${channel}, ${toPayload({ type: 'published' })}) from counters)
    select stored.addr, stored.since from notified left join stored on true
  `.all(statements)
  if (rows.length === 0) return undefined
  return new Map(rows.flatMap(({ addr, since }) => (addr === null ? [] : [[addr, since]])))
}

async function readEvents(statements: Statements, after: number, limit: number): Promise<ClusterEvent[]> {
  const rows = await sql<Omit<ClusterEvent, 'event'> & { event: string }>`
    select id, host, time, event from fleet_events where id > ${after} order by id limit ${limit}
  `.all(statements)
  return rows.map(({ event, ...row }) => ({ ...row, event: JSON.parse(event) }))
}

function sharedOutputs(database: Database): Pick<Publications, 'outputs' | 'setOutputs' | 'clearOutputs'> {
  /** In the order of the addresses, so that hosts lock the rows in the same order. */
  async function setOutputs(outputs: ReadonlyMap<string, string>): Promise<void> {
    const rows = [...outputs].map(([client, output]) => ({ client, output }))
    const statement = sql`
      insert into script_outputs (client, output)
      select client, output from ${toTable('outputs', { client: 'text', output: 'text' }, rows)}
      order by client
      on conflict (client) do update set output = excluded.output`
    await database.write(statements => statement.run(statements))
  }

  return {
    async outputs(clients) {
      const rows = await sql<{ client: string; output: string }>`
        select client, output from script_outputs where client = any(${clients}::text[])
      `.all(database.read)
      return new Map(rows.map(({ client, output }) => [client, output]))
    },
    setOutputs,
    clearOutputs: clients => setOutputs(new Map(clients.map(client => [client, '']))),
  }
}

/** After the last numbers in the item `counters` of a statement's `with`; the ids of those that were lost come first. */
export const storeEvents = (host: string, { events, lost = 0 }: Pick<Published, 'events' | 'lost'>): Sql => sql`
  insert into fleet_events (id, host, time, event)
  select counters.event + ${lost}::bigint + rows.number, ${host}, ${fromColumn('rows.time', 'timestamptz')}, rows.event::json
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
    select pg_notify(${channel}, ${toPayload({ type: 'published' })}) from counters
  `.run(statements)
}
