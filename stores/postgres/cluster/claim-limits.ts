// Claims of parts of which only so many may be sent at once in the fleet: those that would be too many are refused.
import type { Change } from '../../store.ts'
import type { Statements } from '../connection/database.ts'
import { raw, sql, toTable } from '../connection/sql.ts'

type Name = Pick<Change, 'job' | 'index'>

/** Claims that share a limit. */
interface Group {
  name: string
  limit: number
  /** Undefined: of the job. */
  repository: string | undefined
  job: number
  claims: Change[]
}

/** How long a refused part keeps its place before later ones; its host asks again each second. */
const turnTime = raw(`interval '3 seconds'`)

/**
 * The claims that are beyond their limits. To be called in the transaction that stores the others: whoever claims such parts
 * waits for its end, so that all see the parts that are sent.
 */
export async function claimsBeyond(statements: Statements, claims: readonly Change[]): Promise<Set<Change>> {
  const groups = groupClaims(claims)
  const beyond = new Set<Change>()
  if (groups.length > 0) await sql`lock table slot_waits in share row exclusive mode`.run(statements)
  for (const group of groups) {
    const free = group.limit - (await countSent(statements, group))
    const waiting = await readWaiting(statements, group.name)
    const claimed = new Set(group.claims.map(keyOf))
    const queue = [...waiting.filter(each => !claimed.has(keyOf(each))), ...group.claims].sort(inOrder)
    const first = new Set(queue.slice(0, Math.max(0, free)).map(keyOf))
    for (const claim of group.claims) if (!first.has(keyOf(claim))) beyond.add(claim)
  }
  await storeWaiting(statements, groups, beyond)
  return beyond
}

function groupClaims(claims: readonly Change[]): Group[] {
  const groups = new Map<string, Group>()
  const add = (claim: Change, name: string, limit: number, repository?: string) => {
    const group = groups.get(name) ?? { name, limit, repository, job: claim.job, claims: [] }
    groups.set(name, group)
    group.claims.push(claim)
  }
  for (const claim of claims) {
    const { repository, batch } = claim.limits ?? {}
    if (batch !== undefined) add(claim, `job ${claim.job}`, batch)
    if (repository) add(claim, `repository ${repository.address}`, repository.slots, repository.address)
  }
  return [...groups.values()]
}

async function countSent(statements: Statements, { repository, job }: Group): Promise<number> {
  if (repository === undefined) {
    const sent = sql<{ count: number }>`
      select count(distinct client) from job_parts where job_id = ${job} and state = 'sent'`
    return (await sent.one(statements)).count
  }
  // The steps are parsed here: the server cannot parse those with an escaped NUL.
  const rows = await sql<{ step: number; count: number; steps: string }>`
    select sent.step, sent.count, jobs.steps
    from (select job_id, step, count(*) from job_parts where state = 'sent' group by job_id, step) as sent
    join jobs on jobs.id = sent.job_id
    where position('"repository"' in jobs.steps::text) > 0
  `.all(statements)
  return rows.reduce((sum, { step, count, steps }) => {
    const named: unknown = JSON.parse(steps)[step]?.payload?.repository
    return named === repository ? sum + count : sum
  }, 0)
}

const readWaiting = (statements: Statements, name: string) =>
  sql<Name>`
    select slot_waits.job_id as job, slot_waits.part as index
    from slot_waits join job_parts using (job_id, part)
    where slot_waits.name = ${name} and job_parts.state = 'queued'
      and slot_waits.asked > clock_timestamp() - ${turnTime}
  `.all(statements)

/** Refused claims get or keep their places; all others of these groups that have one too long lose it. */
async function storeWaiting(statements: Statements, groups: readonly Group[], beyond: ReadonlySet<Change>) {
  const refused = groups.flatMap(({ name, claims }) =>
    claims.flatMap(claim => (beyond.has(claim) ? { ...claim, name } : [])),
  )
  await sql`
    delete from slot_waits
    where name = any(${groups.map(({ name }) => name)}::text[])
      and asked <= clock_timestamp() - ${turnTime}
  `.run(statements)
  await sql`
    insert into slot_waits (name, job_id, part, asked)
    select name, job, index, clock_timestamp()
    from ${toTable('rows', { name: 'text', job: 'bigint', index: 'integer' }, refused)}
    on conflict (name, job_id, part) do update set asked = excluded.asked
  `.run(statements)
}

const keyOf = ({ job, index }: Name) => `${job} ${index}`
const inOrder = (a: Name, b: Name) => a.job - b.job || a.index - b.index
