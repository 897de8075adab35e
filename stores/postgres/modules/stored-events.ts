// Events of writes, which wait until they have been read.
import type { RecordedTypes } from '../../rules/recorded-events.ts'
import type { RecordedStore, StoredEvent, StoredEvents } from '../../store.ts'
import type { Database, Statements } from '../connection/database.ts'
import { jsonLines, sql, toType } from '../connection/sql.ts'

interface State {
  last: number
  lost_id: number | null
  lost_since: number
  lost_until: number
}

export function storedEvents(
  { read, transaction }: Database,
  recorded: RecordedTypes,
  createMethods: (database: Database) => RecordedStore,
): StoredEvents<RecordedStore> {
  return {
    record: types => recorded.set(types),
    recording: (derive, call) =>
      transaction(async statements => {
        const result = await call(createMethods(boundTo(statements)))
        await addEvents(statements, recorded.of(derive(result)))
        return result
      }),
    async read(after, limit) {
      const rows = await sql<Omit<StoredEvent, 'event'> & { event: string }>`
        select id, time, event from stored_events where id > ${after} order by id limit ${limit}
      `.all(read)
      return rows.map(({ id, time, event }) => ({ id, time, event: JSON.parse(event) }))
    },
    trim: (id, keep) => transaction(statements => trim(statements, id, keep)),
    async state() {
      const { last, lost_id, lost_since, lost_until } = await sql<State>`
        select last, lost_id, lost_since, lost_until from stored_event_state
      `.one(read)
      return { last, ...(lost_id !== null && { lost: { id: lost_id, since: lost_since, until: lost_until } }) }
    },
  }
}

/** In a transaction, as its last step: others wait until it has ended, so that the order of the ids is that of the ends. */
export async function addEvents(statements: Statements, events: readonly { type: string }[]): Promise<void> {
  if (events.length === 0) return
  await sql`
    with counted as (
      update stored_event_state set last = last + ${events.length}::bigint returning last - ${events.length}::bigint as before
    )
    insert into stored_events (id, time, event)
    select counted.before + listed.number, ${toType(Date.now(), 'timestamptz')}, listed.event::json
    from counted, unnest(${jsonLines(events)}) with ordinality as listed (event, number)
  `.run(statements)
}

/** A database whose statements are all in one transaction. A statement that fails must be its last one. */
const boundTo = (statements: Statements): Database => ({
  read: statements,
  readAll: work => work(statements),
  write: work => work(statements),
  transaction: work => work(statements),
  snapshot: () => Promise.reject(new Error('store: dump: expected no open transaction')),
  close: async () => {},
})

/** Nobody adds events meanwhile. */
async function trim(statements: Statements, id: number, keep: number): Promise<void> {
  // A load locks it first, too.
  await sql`lock table stored_events in row exclusive mode`.run(statements)
  const state = sql<State>`select last, lost_id, lost_since, lost_until from stored_event_state for update`
  const { lost_id, lost_since } = await state.one(statements)
  await sql`delete from stored_events where id <= ${id}`.run(statements)
  const lost = await sql<{ id: number | null; since: number; until: number }>`
    with excess as (
      delete from stored_events
      where id <= (select id from stored_events order by id desc limit 1 offset ${keep})
      returning id, time
    )
    select max(id) as id, min(time) as since, max(time) as until from excess
  `.one(statements)
  const isRead = lost_id !== null && lost_id <= id
  if (lost.id !== null) {
    const since = lost_id === null || isRead ? lost.since : lost_since
    await sql`
      update stored_event_state set lost_id = ${lost.id}, lost_since = ${toType(since, 'timestamptz')},
        lost_until = ${toType(lost.until, 'timestamptz')}
    `.run(statements)
  } else if (isRead) {
    await sql`update stored_event_state set lost_id = null, lost_since = null, lost_until = null`.run(statements)
  }
}

export async function readLastEvent(statements: Statements): Promise<number> {
  return (await sql<Pick<State, 'last'>>`select last from stored_event_state`.one(statements)).last
}

/** After a load, which has deleted the events. */
export async function raiseLastEvent(statements: Statements, last: number): Promise<void> {
  await sql`
    update stored_event_state set last = greatest(last, ${last}), lost_id = null, lost_since = null, lost_until = null
  `.run(statements)
}
