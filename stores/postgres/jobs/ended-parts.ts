// Ends parts for another process, and finds the jobs whose last part has ended.
import type { CancelTarget, EndedPart, EndedParts, FinishedJob, Job, PartCounts, PartState } from '../../store.ts'
import type { Statements } from '../connection/database.ts'
import { type Sql, sql, toType } from '../connection/sql.ts'
import { and, conditionsOf, stateCounts, toCounts } from './job-reads.ts'
import { groupByJob, isId } from './work-rows.ts'

type FinishedRow = PartCounts & { job: number; clients: string[] }

/**
 * Those of the jobs that have no unfinished part. To be read in a further statement of a transaction that locked the jobs'
 * rows before it ended their parts: of transactions that end the last parts of a job, the last one sees it finished.
 */
const finishedAmong = (jobs: readonly number[]): Sql => sql`
  select job_id as job, array_agg(client order by part) as clients, ${stateCounts}
  from job_parts
  where job_id in (
    select id from unnest(${jobs}::bigint[]) as ids (id)
    where not exists (select from job_parts where job_id = id and state in ('queued', 'sent'))
  )
  group by job_id`

const toFinished = (row: FinishedRow): FinishedJob => ({
  job: row.job,
  counts: toCounts(row),
  clients: [...new Set(row.clients)],
})

/** In the order of the ids. */
export async function readFinished(statements: Statements, jobs: readonly number[]): Promise<FinishedJob[]> {
  return (await sql<FinishedRow>`${finishedAmong(jobs)} order by job`.all(statements)).map(toFinished)
}

/** Cancels queued parts. In a transaction, as its only step. */
export function cancelParts(statements: Statements, target: CancelTarget, reason: string, now: number) {
  const conditions = conditionsOf({ state: 'queued', ...(target.clients && { clients: target.clients }) })
  if ('job' in target) conditions.push(sql`job_parts.job_id = ${isId(target.job) ? target.job : 0}`)
  return endParts(statements, and(conditions), { state: 'cancelled', reason, ended: toType(now, 'timestamptz') })
}

/** What is set in parts that end. */
interface Ending {
  state: PartState
  reason: string
  ended: Sql
}

/** Ends the unfinished parts with a condition. In a transaction, as one of its last steps: it locks the jobs. */
export async function endParts(
  statements: Statements,
  condition: Sql,
  { state, reason, ended }: Ending,
): Promise<EndedParts[]> {
  const isUnfinished = sql`state in ('queued', 'sent') and ${condition}`
  const rows = await sql<EndedPart>`
    with locked as materialized (
      select id from jobs
      where id in (select job_id from job_parts where ${isUnfinished})
      order by id for no key update
    ),
    ending as materialized (
      select job_id, part from job_parts
      where ${isUnfinished} and (select count(*) from locked) > 0
      order by job_id, part for no key update
    )
    update job_parts set state = ${state}, reason = ${reason}, ended = ${ended}
    from ending
    where job_parts.job_id = ending.job_id and job_parts.part = ending.part
    returning job_parts.job_id as job, job_parts.part as index, client, step, state, reason, job_parts.ended
  `.all(statements)
  return describeEnded(statements, rows)
}

type EndedRow = FinishedRow & Pick<Job, 'id' | 'name'> & { maker: string; steps: string }

async function describeEnded(statements: Statements, ended: readonly EndedPart[]): Promise<EndedParts[]> {
  if (ended.length === 0) return []
  const partsByJob = groupByJob(ended)
  const ids = [...partsByJob.keys()]
  const jobs = await sql<EndedRow>`
    with finished as (${finishedAmong(ids)})
    select jobs.id, jobs.name, jobs.maker, jobs.steps, finished.*
    from jobs left join finished on finished.job = jobs.id
    where jobs.id = any(${ids}::bigint[])
    order by jobs.id
  `.all(statements)
  return jobs.map(({ id, name, maker, steps, ...finished }): EndedParts => {
    const job = { id, name, by: maker, steps: JSON.parse(steps) }
    const parts = (partsByJob.get(id) ?? []).sort((a, b) => a.index - b.index)
    // Null in a row of `left join` that found nothing.
    if (finished.job === null) return { job, parts }
    const { counts, clients } = toFinished(finished)
    return { job, parts, finished: { counts, clients } }
  })
}
