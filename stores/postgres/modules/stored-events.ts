// Events of writes, which wait until they have been read.
import type { StoredEvent, StoredEvents } from '../../store.ts'
import type { Database, Statements } from '../connection/database.ts'
import { sql, toType } from '../connection/sql.ts'

interface State {
  last: number
  lost_id: number | null
  lost_since: number
  lost_until: number
}

export function storedEvents({ read, transaction }: Database): StoredEvents {
  return {
    record() {},
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

/** Nobody adds events meanwhile. */
async function trim(statements: Statements, id: number, keep: number): Promise<void> {
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
