// Parts that hosts are to send: taken, read and assigned.
import type { Assigned, AssignedPart, ClusterJobs, HostKey, Job, UnfinishedPage, UnfinishedParts } from '../../store.ts'
import type { Statements } from '../connection/database.ts'
import { sql, toTable, toType } from '../connection/sql.ts'
import { and, conditionsOf, isAfter, unfinished } from '../jobs/job-reads.ts'
import { canExist } from '../jobs/part-rows.ts'
import { groupByJob, isId, type PartRow, partColumns, toPart } from '../jobs/work-rows.ts'
import { tables } from '../records/tables.ts'
import { memberRow } from './member-row.ts'
import { raiseVersions } from './new-work.ts'

/** The job with its first part only: its steps may be long. */
const partsWithJobs = sql`
  select ${tables.jobs.columns}, picked.*
  from (select picked.*, row_number() over (partition by job order by part) as number from picked) as picked
  left join jobs on jobs.id = picked.job and picked.number = 1`

type AssignedRow = PartRow & { job: number; claimed: boolean; number: number }

function toAssigned(rows: readonly AssignedRow[]): Assigned {
  const jobs: Job[] = []
  const parts: AssignedPart[] = []
  for (const row of rows) {
    if (row.number === 1) jobs.push(tables.jobs.read(row))
    parts.push({ ...toPart(row), job: row.job, claimed: row.claimed })
  }
  return { jobs, parts }
}

/**
 * One statement. Those that were claimed by an earlier call and not changed since are read again: its result may have got
 * lost. `last` is read from the same state as the parts; a part that is assigned meanwhile comes with the next call.
 */
export async function takeParts(
  statements: Statements,
  { key, after, now }: { key: HostKey; after: number; now: number },
): Promise<Assigned & { last: number }> {
  const rows = await sql<AssignedRow & { last: number; is_member: boolean }>`
    with member as materialized (${memberRow(key)}),
    picked as materialized (
      select job_id as job, ${partColumns}, job_parts.direct or job_parts.state = 'sent' as claimed
      from member, job_parts
      where job_parts.host = member.name and job_parts.work > ${after} and job_parts.work > 0
        and ${unfinished}
        and (job_parts.state = 'queued' or job_parts.host_epoch = member.epoch)
      order by job_parts.job_id, job_parts.part
      for no key update of job_parts
    ),
    claimed as (
      update job_parts set state = 'sent', sent = ${toType(now, 'timestamptz')}, host_epoch = ${key.epoch}, direct = false
      from picked
      where picked.claimed and picked.state = 'queued'
        and job_parts.job_id = picked.job and job_parts.part = picked.part
    )
    select assigned.*, host_work.version as last, exists (select from member) as is_member
    from host_work left join (${partsWithJobs}) as assigned on true
    where host_work.name = ${key.name}
    order by assigned.job, assigned.part
  `.all(statements)
  const [first] = rows
  // Null in the one row without a part.
  if (!first || first.job === null) return { jobs: [], parts: [], last: first?.is_member ? first.last : after }
  for (const row of rows) {
    if (!row.claimed || row.state !== 'queued') continue
    row.state = 'sent'
    row.sent = now
  }
  return { ...toAssigned(rows), last: first.last }
}

/** One statement: what is read must not be older than the answer by the time of a second one. */
export async function readQueued(
  statements: Statements,
  clients: Parameters<ClusterJobs['queued']>[0],
  { after, limit }: UnfinishedPage = {},
): Promise<UnfinishedParts[]> {
  const conditions = conditionsOf({ state: 'queued', ...(clients !== 'all' && { clients }) })
  if (after) conditions.push(isAfter(after))
  const rows = await sql<AssignedRow>`
    with picked as (
      select job_id as job, ${partColumns}, false as claimed from job_parts
      where ${and(conditions)} and not job_parts.direct
      order by job_parts.job_id, job_parts.part
      limit ${limit ?? null}
    )
    ${partsWithJobs}
    order by picked.job, picked.part
  `.all(statements)
  const { jobs, parts } = toAssigned(rows)
  const partsByJob = groupByJob(parts)
  return jobs.map(job => ({ job, parts: partsByJob.get(job.id) ?? [] }))
}

/** One statement. The hosts that got any. */
export async function assignParts(
  statements: Statements,
  parts: Parameters<ClusterJobs['assign']>[0],
): Promise<string[]> {
  const possible = parts.filter(canExist)
  const targets = sql`select name from targets order by name`
  const rows = await sql<{ name: string }>`
    with targets as materialized (
      select name from hosts where name = any(${possible.map(({ host }) => host)}::text[]) order by name for key share
    ),
    versions as (${raiseVersions(targets)}),
    picked as materialized (
      select job_parts.job_id as job, job_parts.part, versions.name, versions.version
      from ${toTable('rows', { job: 'bigint', index: 'integer', host: 'text' }, possible)}
      join versions on versions.name = rows.host
      join job_parts on job_parts.job_id = rows.job and job_parts.part = rows.index
      -- Without 'is true' the server may look up each part among all queued ones of its job.
      where (job_parts.state = 'queued' and not job_parts.direct) is true
      order by job_parts.job_id, job_parts.part
      for no key update of job_parts
    ),
    assigned as (
      update job_parts set host = picked.name, work = picked.version
      from picked
      where job_parts.job_id = picked.job and job_parts.part = picked.part
      returning job_parts.host
    )
    select distinct host as name from assigned order by host
  `.all(statements)
  return rows.map(({ name }) => name)
}

export async function countUnclaimed(statements: Statements, job: number): Promise<number> {
  const unclaimed = sql<{ count: number }>`
    select count(*) from job_parts where job_id = ${isId(job) ? job : 0} and state = 'queued' and direct`
  return (await unclaimed.one(statements)).count
}
