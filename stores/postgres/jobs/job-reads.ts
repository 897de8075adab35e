// Reads jobs with the counts of their parts, and parts.
import { byState, partStates, unfinishedStates } from '../../rules/part-states.ts'
import { stopPattern } from '../../rules/stopped-parts.ts'
import type {
  ComputerCount,
  Job,
  JobFilter,
  PartCounts,
  PartPage,
  Store,
  UnfinishedPage,
  UnfinishedParts,
  WaitingParts,
} from '../../store.ts'
import type { Database } from '../connection/database.ts'
import { join, raw, type Sql, sql } from '../connection/sql.ts'
import { tables } from '../records/tables.ts'
import { groupByJob, isId, type PartRow, partColumns, toPart } from './work-rows.ts'

/** The number of parts in each state, as columns. */
export const stateCounts = join(partStates.map(state => raw(`count(*) filter (where state = '${state}') as ${state}`)))

export const toCounts = (row: PartCounts): PartCounts => byState(state => row[state])

const quoted = unfinishedStates.map(state => `'${state}'`)

/** The condition of `isUnfinished`: with values instead of parameters, as that of an index. */
export const unfinished = raw(`job_parts.state in (${quoted.join(', ')})`)

type PartFilter = Pick<JobFilter, 'state' | 'client' | 'clients'>
type CountedJob = Job & { counts: PartCounts }

export function jobReads(database: Database): Omit<Store['jobs'], 'add' | 'update' | 'cancel' | 'trim'> {
  return {
    list: filter => listJobs(database, filter),
    async find(id, clients) {
      if (!isId(id)) return undefined
      const [job] = await listJobs(database, { clients, limit: 1 }, id)
      return job
    },
    parts: (id, page) => readParts(database, id, page),
    countComputers: (id, clients) => countComputers(database, id, clients),
    unfinished: ({ state, ...page } = {}) => readUnfinished(database, state ? sql`state = ${state}` : unfinished, page),
    waiting: () => waiting.all(database.read),
  }
}

async function listJobs(
  { read }: Database,
  { command, schedule, limit, ...filter }: JobFilter,
  id?: number,
): Promise<CountedJob[]> {
  const { clients } = filter
  const conditions = [sql`true`]
  if (id !== undefined) conditions.push(sql`id = ${id}`)
  if (command !== undefined) conditions.push(sql`commands @> ${[command]}::text[]`)
  if (schedule !== undefined) conditions.push(sql`schedule_id = ${schedule}`)
  const ofPart = conditionsOf(filter)
  if (ofPart.length > 0) {
    conditions.push(sql`exists (select from job_parts where job_parts.job_id = jobs.id and ${and(ofPart)})`)
  }
  const rows = await sql<PartCounts>`
    with listed as (select ${tables.jobs.columns} from jobs where ${and(conditions)} order by id desc limit ${limit})
    select listed.*, counts.* from listed
    join lateral (
      select ${stateCounts} from job_parts where job_parts.job_id = listed.id and ${and(conditionsOf({ clients }))}
    ) as counts on true
    order by listed.id desc
  `.all(read)
  return rows.map(row => ({ ...tables.jobs.read(row), counts: toCounts(row) }))
}

/** All of them; true without any. */
export const and = (conditions: readonly Sql[]): Sql => (conditions.length > 0 ? join(conditions, ' and ') : sql`true`)

/** What one part must match. A list of any length is looked up by hash, in every version of the server. */
export function conditionsOf({ state, client, clients }: PartFilter): Sql[] {
  const conditions: Sql[] = []
  if (state !== undefined) conditions.push(sql`job_parts.state = ${state}`)
  if (client !== undefined) conditions.push(sql`job_parts.client = ${client}`)
  if (clients !== undefined) conditions.push(sql`job_parts.client in (select unnest(${clients}::text[]))`)
  return conditions
}

async function readParts({ read }: Database, id: number, { after = -1, limit, outputs = true, ...filter }: PartPage) {
  if (!isId(id)) return []
  const rows = await sql<PartRow>`
    select ${partColumns}${outputs ? sql`, output` : sql``} from job_parts
    where job_id = ${id} and part > ${after}::bigint and ${and(conditionsOf(filter))}
    order by part limit ${limit}
  `.all(read)
  return rows.map(toPart)
}

function countComputers({ read }: Database, id: number, clients?: readonly string[]): Promise<ComputerCount[]> {
  const isListed = and([sql`job_id = ${isId(id) ? id : 0}`, ...conditionsOf({ ...(clients && { clients }) })])
  return sql<ComputerCount>`
    select step, state, reason, count(*) from (
      select distinct on (client) step, state, case when reason ~ ${stopPattern.source} then reason else '' end as reason
      from job_parts where ${isListed} order by client, state = 'success', step, part
    ) as decisive group by step, state, reason
  `.all(read)
}

/** Two statements, so that the steps of a job are not repeated for each of its parts. */
function readUnfinished(
  database: Database,
  condition: Sql,
  { after, limit }: UnfinishedPage = {},
): Promise<UnfinishedParts[]> {
  return database.readAll(async statements => {
    const rows = await sql<PartRow & { job: number }>`
      select job_id as job, ${partColumns}, output from job_parts
      where ${condition} and ${after ? isAfter(after) : sql`true`}
      order by job_id, part limit ${limit ?? null}
    `.all(statements)
    const partsByJob = groupByJob(rows)
    const jobs = await tables.jobs.list(statements, sql`id = any(${[...partsByJob.keys()]}::bigint[])`)
    return jobs.map(job => ({ job, parts: (partsByJob.get(job.id) ?? []).map(toPart) }))
  })
}

/** Whether a part comes after another one in the order of jobs and parts. */
export const isAfter = ({ job, index }: NonNullable<UnfinishedPage['after']>): Sql =>
  sql`(job_parts.job_id, job_parts.part) > (${job}::bigint, ${index}::integer)`

const waiting = sql<WaitingParts>`
  select coalesce(jobs.account, '') as account, sum(queued.parts)::bigint as parts, count(*) as jobs,
    sum(octet_length(jobs.steps::text))::bigint as characters
  from (select job_id, count(*) as parts from job_parts where state = 'queued' group by job_id) as queued
  join jobs on jobs.id = queued.job_id
  group by jobs.account`
