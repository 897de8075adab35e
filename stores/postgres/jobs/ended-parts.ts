// Ends parts for another process, and finds the jobs whose last part has ended.
import { isUnfinished } from '../../rules/part-states.ts'
import { finishedEvent, type RecordedTypes } from '../../rules/recorded-events.ts'
import type { CancelTarget, EndedPart, EndedParts, FinishedJob, Job, Part, PartCounts, PartState } from '../../store.ts'
import type { Statements, Work } from '../connection/database.ts'
import { type Sql, sql, toType } from '../connection/sql.ts'
import { addEvents } from '../modules/stored-events.ts'
import { and, conditionsOf, stateCounts, toCounts, unfinished } from './job-reads.ts'
import type { OutputLimit } from './output-limit.ts'
import { groupByJob, isId } from './work-rows.ts'

type FinishedRow = PartCounts & { job: number; name: string; maker: string; clients: string[] }

const toFinished = (row: FinishedRow): FinishedJob => ({
  job: row.job,
  name: row.name,
  by: row.maker,
  counts: toCounts(row),
  clients: [...new Set(row.clients)],
})

/**
 * Those of the jobs that have no unfinished part, in the order of the ids; adds the events of those `ending`. To be the
 * last step of a transaction, in a further statement than the one that locked the jobs' rows before it ended their parts:
 * of transactions that end the last parts of a job, the last one sees it finished.
 */
export async function finishJobs(
  statements: Statements,
  jobs: readonly number[],
  { recorded, ending = new Set(jobs) }: { recorded: RecordedTypes; ending?: ReadonlySet<number> },
): Promise<FinishedJob[]> {
  const rows = await sql<FinishedRow>`
    select jobs.id as job, name, maker,
      coalesce(array_agg(client order by part) filter (where part is not null), '{}') as clients,
      ${stateCounts}
    from unnest(${jobs}::bigint[]) as ids (id) join jobs on jobs.id = ids.id left join job_parts on job_id = jobs.id
    where not exists (select from job_parts where job_id = ids.id and ${unfinished})
    group by jobs.id order by jobs.id
  `.all(statements)
  const finished = rows.map(toFinished)
  await addEvents(statements, recorded.of(finished.filter(({ job }) => ending.has(job)).map(finishedEvent)))
  return finished
}

export interface WorkDeps {
  limit: OutputLimit
  recorded: RecordedTypes
}

/** Adds a job with a statement, and its event if no part of it is unfinished. */
export function addWithEvents<Added extends { id: number } | undefined>(
  { limit, recorded }: WorkDeps,
  parts: readonly Part[],
  add: Work<Added>,
): Promise<Added> {
  const outputs = parts.map(({ output }) => output)
  if (!recorded.has('job-finished') || parts.some(isUnfinished)) return limit.write(outputs, add)
  return limit.transaction(outputs, async statements => {
    const added = await add(statements)
    if (added) await finishJobs(statements, [added.id], { recorded })
    return added
  })
}

/** Cancels queued parts. In a transaction, as its only step. */
export function cancelParts(
  statements: Statements,
  target: CancelTarget,
  ending: { reason: string; now: number; recorded: RecordedTypes },
): Promise<EndedParts[]> {
  const { reason, now, recorded } = ending
  const conditions = conditionsOf({ state: 'queued', ...(target.clients && { clients: target.clients }) })
  if ('job' in target) conditions.push(sql`job_parts.job_id = ${isId(target.job) ? target.job : 0}`)
  return endParts(statements, and(conditions), {
    state: 'cancelled',
    reason,
    ended: toType(now, 'timestamptz'),
    recorded,
  })
}

/** What is set in parts that end. */
export interface Ending {
  state: PartState
  reason: string
  ended: Sql
  recorded: RecordedTypes
}

/** Ends the unfinished parts with a condition. In a transaction, as one of its last steps: it locks the jobs and adds events. */
export async function endParts(
  statements: Statements,
  condition: Sql,
  { state, reason, ended, recorded }: Ending,
): Promise<EndedParts[]> {
  const isEnding = sql`${unfinished} and ${condition}`
  const rows = await sql<EndedPart>`
    with locked as materialized (
      select id from jobs
      where id in (select job_id from job_parts where ${isEnding})
      order by id for no key update
    ),
    ending as materialized (
      select job_id, part from job_parts
      where ${isEnding} and (select count(*) from locked) > 0
      order by job_id, part for no key update
    )
    update job_parts set state = ${state}, reason = ${reason}, ended = ${ended}
    from ending
    where job_parts.job_id = ending.job_id and job_parts.part = ending.part
    returning job_parts.job_id as job, job_parts.part as index, client, step, state, reason, job_parts.ended
  `.all(statements)
  return describeEnded(statements, rows, recorded)
}

type EndedRow = Pick<Job, 'id' | 'name'> & { maker: string; steps: string }

async function describeEnded(
  statements: Statements,
  ended: readonly EndedPart[],
  recorded: RecordedTypes,
): Promise<EndedParts[]> {
  if (ended.length === 0) return []
  const partsByJob = groupByJob(ended)
  const ids = [...partsByJob.keys()]
  const jobs = await sql<EndedRow>`
    select id, name, maker, steps from jobs where id = any(${ids}::bigint[]) order by id
  `.all(statements)
  const finished = new Map((await finishJobs(statements, ids, { recorded })).map(each => [each.job, each]))
  return jobs.map(({ id, name, maker, steps }): EndedParts => {
    const job = { id, name, by: maker, steps: JSON.parse(steps) }
    const parts = (partsByJob.get(id) ?? []).sort((a, b) => a.index - b.index)
    const end = finished.get(id)
    return { job, parts, ...(end && { finished: end }) }
  })
}
