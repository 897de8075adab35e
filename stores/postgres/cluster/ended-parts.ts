// Ends parts for another process, and finds the jobs whose last part has ended.
import { type RawBuilder, sql } from 'kysely'
import type { EndedWork, IndexedPart, PartCounts, PartState } from '../../store.ts'
import type { Statements } from '../connection/database.ts'
import { partColumns, toPart } from '../jobs/work-rows.ts'
import type { Tables } from '../records/table-types.ts'

export interface FinishedJob {
  job: number
  counts: PartCounts
  clients: string[]
}

type FinishedRow = PartCounts & { job: number; clients: string[] }

/**
 * Those of the jobs that have no unfinished part. To be read in a further statement of a transaction that locked the jobs'
 * rows before it ended their parts: of transactions that end the last parts of a job, the last one sees it finished.
 */
const finishedAmong = (jobs: readonly number[]): RawBuilder<unknown> => sql`
  select
    job,
    array_agg(client order by part) as clients,
    count(*) filter (where state = 'queued') as queued,
    count(*) filter (where state = 'sent') as sent,
    count(*) filter (where state = 'success') as success,
    count(*) filter (where state = 'failure') as failure,
    count(*) filter (where state = 'skipped') as skipped,
    count(*) filter (where state = 'expired') as expired,
    count(*) filter (where state = 'cancelled') as cancelled
  from job_parts
  where job in (
    select id from unnest(${jobs}::bigint[]) as ids (id)
    where not exists (select from job_parts where job = id and state in ('queued', 'sent'))
  )
  group by job`

function toFinished({ job, clients, ...counts }: FinishedRow): FinishedJob {
  const { queued, sent, success, failure, skipped, expired, cancelled } = counts
  const of = { queued, sent, success, failure, skipped, expired, cancelled }
  return { job, counts: of, clients: [...new Set(clients)] }
}

/** In the order of the ids. */
export async function readFinished(statements: Statements, jobs: readonly number[]): Promise<FinishedJob[]> {
  const { rows } = await sql<FinishedRow>`${finishedAmong(jobs)} order by job`.execute(statements)
  return rows.map(toFinished)
}

/** What is set in parts that end. */
interface Ending {
  state: PartState
  reason: string
  ended: RawBuilder<unknown>
}

type PartRow = Parameters<typeof toPart>[0] & { job: number }

const endedColumns = sql.join(['job', ...partColumns].map(column => sql.ref(`job_parts.${column}`)))

/** Ends the unfinished parts with a condition. In a transaction, as one of its last steps: it locks the jobs. */
export async function endParts(
  statements: Statements,
  condition: RawBuilder<unknown>,
  { state, reason, ended }: Ending,
): Promise<EndedWork[]> {
  const isUnfinished = sql`state in ('queued', 'sent') and ${condition}`
  const { rows } = await sql<PartRow>`
    with locked as materialized (
      select id from jobs
      where id in (select job from job_parts where ${isUnfinished})
      order by id for no key update
    ),
    ending as materialized (
      select job, part from job_parts
      where ${isUnfinished} and (select count(*) from locked) > 0
      order by job, part for no key update
    )
    update job_parts set state = ${state}, reason = ${reason}, ended = ${ended}
    from ending
    where job_parts.job = ending.job and job_parts.part = ending.part
    returning ${endedColumns}
  `.execute(statements)
  return describeEnded(statements, rows)
}

type JobRow = FinishedRow & Pick<Tables['jobs'], 'name' | 'maker' | 'steps'> & { id: number }

async function describeEnded(statements: Statements, rows: readonly PartRow[]): Promise<EndedWork[]> {
  if (rows.length === 0) return []
  const partsByJob = new Map<number, IndexedPart[]>()
  for (const row of rows) {
    const parts = partsByJob.get(row.job)
    if (parts) parts.push(toPart(row))
    else partsByJob.set(row.job, [toPart(row)])
  }
  const ids = [...partsByJob.keys()]
  const jobs = await sql<JobRow>`
    with finished as (${finishedAmong(ids)})
    select jobs.id, jobs.name, jobs.maker, jobs.steps, finished.*
    from jobs left join finished on finished.job = jobs.id
    where jobs.id = any(${ids}::bigint[])
    order by jobs.id
  `.execute(statements)
  return jobs.rows.map(({ id, name, maker, steps, ...finished }): EndedWork => {
    const job = { id, name, by: maker, steps: JSON.parse(steps) }
    const parts = (partsByJob.get(id) ?? []).sort((a, b) => a.index - b.index)
    // Null in a row of `left join` that found nothing.
    if (finished.job === null) return { job, parts }
    const { counts, clients } = toFinished(finished)
    return { job, parts, finished: { counts, clients } }
  })
}
