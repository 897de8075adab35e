// Reads jobs with the counts of their parts, and parts.
import { type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type {
  IndexedPart,
  Job,
  JobFilter,
  PartCounts,
  PartPage,
  PartState,
  Store,
  UnfinishedPage,
  WaitingWork,
} from '../../store.ts'
import type { Database } from '../connection/database.ts'
import type { Tables } from '../records/table-types.ts'
import { isId, partColumns, toJob, toPart } from './work-rows.ts'

const states = ['queued', 'sent', 'success', 'failure', 'skipped', 'expired', 'cancelled'] as const

/** States of parts that have not ended. */
const unfinishedStates = ['queued', 'sent'] as const satisfies PartState[]

type PartFilter = Pick<JobFilter, 'state' | 'client' | 'clients'>
type CountedJob = Job & { counts: PartCounts }

export function jobReads(database: Database): Omit<Store['jobs'], 'add' | 'update' | 'trim'> {
  return {
    list: filter => listJobs(database, filter),
    async find(id, clients) {
      if (!isId(id)) return undefined
      const [job] = await listJobs(database, { clients, limit: 1 }, id)
      return job
    },
    parts: (id, page) => readParts(database, id, page),
    unfinished: page => readUnfinished(database, page),
    waiting: () => readWaiting(database),
  }
}

/** A list of any length as a set that is looked up by hash, in every version of the server. */
const oneOf = (clients: readonly string[]) => sql<string>`(select unnest(${clients}::text[]))`

async function listJobs(
  { read }: Database,
  { command, limit, ...filter }: JobFilter,
  id?: number,
): Promise<CountedJob[]> {
  const { clients } = filter
  const rows = await read
    .with('listed', query => {
      let jobs = query.selectFrom('jobs').selectAll().orderBy('id', 'desc').limit(limit)
      if (id !== undefined) jobs = jobs.where('id', '=', id)
      if (command !== undefined) jobs = jobs.where(sql.ref('commands'), '@>', sql`${[command]}::text[]`)
      return hasConditions(filter) ? jobs.where(eb => hasPart(eb, filter)) : jobs
    })
    .selectFrom('listed')
    .innerJoinLateral(
      query => {
        const parts = query.selectFrom('job_parts').whereRef('job_parts.job', '=', 'listed.id')
        const counted = clients ? parts.where('client', 'in', oneOf(clients)) : parts
        return counted
          .select(({ fn }) =>
            states.map(state => fn.countAll<number>().filterWhere('state', '=', sql.lit(state)).as(state)),
          )
          .as('counts')
      },
      join => join.onTrue(),
    )
    .selectAll()
    .orderBy('listed.id', 'desc')
    .execute()
  return rows.map(({ queued, sent, success, failure, skipped, expired, cancelled, ...job }) => ({
    ...toJob(job),
    counts: { queued, sent, success, failure, skipped, expired, cancelled },
  }))
}

const hasConditions = ({ state, client, clients }: PartFilter): boolean =>
  state !== undefined || client !== undefined || clients !== undefined

/** Whether one part of the job matches all of the filter. */
function hasPart({ exists, selectFrom }: ExpressionBuilder<Tables, 'jobs'>, { state, client, clients }: PartFilter) {
  let parts = selectFrom('job_parts').whereRef('job_parts.job', '=', 'jobs.id')
  if (state !== undefined) parts = parts.where('state', '=', state)
  if (client !== undefined) parts = parts.where('client', '=', client)
  if (clients !== undefined) parts = parts.where('client', 'in', oneOf(clients))
  return exists(parts)
}

async function readParts(
  { read }: Database,
  id: number,
  { after = -1, limit, client, clients, outputs = true }: PartPage,
) {
  if (!isId(id)) return []
  let parts = read
    .selectFrom('job_parts')
    .select(partColumns)
    .where('job', '=', id)
    .where('part', '>', sql<number>`${after}::bigint`)
    .orderBy('part')
    .limit(limit)
  if (client !== undefined) parts = parts.where('client', '=', client)
  if (clients !== undefined) parts = parts.where('client', 'in', oneOf(clients))
  const rows = await (outputs ? parts.select('output') : parts).execute()
  return rows.map(toPart)
}

/** Two statements, so that the steps of a job are not repeated for each of its parts. */
function readUnfinished(
  database: Database,
  { after, limit }: UnfinishedPage = {},
): ReturnType<Store['jobs']['unfinished']> {
  return database.readAll(async statements => {
    let selected = statements
      .selectFrom('job_parts')
      .select(['job', ...partColumns, 'output'])
      .where('state', 'in', unfinishedStates)
      .orderBy('job')
      .orderBy('part')
    if (after) selected = selected.where(isAfter(after))
    if (limit !== undefined) selected = selected.limit(limit)
    const parts = await selected.execute()
    const partsByJob = new Map<number, IndexedPart[]>()
    for (const row of parts) {
      const list = partsByJob.get(row.job)
      if (list) list.push(toPart(row))
      else partsByJob.set(row.job, [toPart(row)])
    }
    const jobs = await statements
      .selectFrom('jobs')
      .selectAll()
      .where('id', '=', sql<number>`any(${[...partsByJob.keys()]}::bigint[])`)
      .orderBy('id')
      .execute()
    return jobs.map(row => ({ job: toJob(row), parts: partsByJob.get(row.id) ?? [] }))
  })
}

/** Whether a part comes after another one in the order of jobs and parts. */
export const isAfter = ({ job, index }: NonNullable<UnfinishedPage['after']>) =>
  sql<SqlBool>`(job_parts.job, job_parts.part) > (${job}, ${index})`

async function readWaiting({ read }: Database): Promise<WaitingWork[]> {
  const { rows } = await sql<WaitingWork>`
    select coalesce(jobs.account, '') as account, sum(queued.parts)::bigint as parts, count(*) as jobs,
      sum(octet_length(jobs.steps::text))::bigint as characters
    from (select job, count(*) as parts from job_parts where state = 'queued' group by job) as queued
    join jobs on jobs.id = queued.job
    group by jobs.account
  `.execute(read)
  return rows
}
