// The rows of sessions: who uses the database, and whose session has ended.
import { currentVersion } from '../migrations/create-tables.ts'

export interface SessionRow {
  holder: string
  since: Date
  alone: boolean
  tables: number
  name: string | null
  period: string
  /** Whether its session lasts. */
  live: boolean
}

/** The row of a role whose sessions this one may not see in detail counts as long as the process of the server exists. */
const isLive = `exists (
  select from pg_stat_activity as activity
  where activity.pid = sessions.pid and activity.usename = sessions.role
    and coalesce(activity.backend_start = sessions.began, true)
)`

/** All but the own one. */
export const selection = `
  select holder, since, alone, tables, name, period, ${isLive} as live
  from store_sessions sessions where id <> $1 order by since`

/** Rows of sessions that have ended only say which period was the last one. */
export const deletion = `delete from store_sessions sessions where id <> $1 and not ${isLive}`

export const insertion = `
  insert into store_sessions (id, pid, role, began, alone, tables, period, holder, name)
  select $1, pid, usename, backend_start, $2, $3, $4, $5, $6
  from pg_stat_activity where pid = pg_backend_pid()
  on conflict (id) do update set pid = excluded.pid, began = excluded.began, name = excluded.name`

export const lastPeriod = (rows: readonly SessionRow[]) => Math.max(0, ...rows.map(({ period }) => Number(period)))

/** Hosts of a fleet have one in common. */
export function nextPeriod(rows: readonly SessionRow[], isAlone: boolean): number {
  const last = lastPeriod(rows)
  const isCommon = rows.some(({ period, alone }) => Number(period) === last && !alone)
  return isCommon && !isAlone ? last : last + 1
}

export const describe = ({ holder, since, tables }: SessionRow) =>
  `${holder}, since ${since.toISOString()}${tables === currentVersion ? '' : `, with tables of version ${tables}`}`
