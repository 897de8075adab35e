// Changes of parts under the condition that they are still queued, or sent by the same life of the same host.
import { isUnfinished, mergeUpdate } from '../../rules/parts.ts'
import type { Change, Changed, HostKey } from '../../store.ts'
import type { Statements } from '../connection/database.ts'
import { sql } from '../connection/sql.ts'
import type { OutputLimit } from '../jobs/output-limit.ts'
import { canExist, updatedValues, updateRows } from '../jobs/part-rows.ts'
import { claimsBeyond } from './claim-limits.ts'
import { readFinished } from './ended-parts.ts'
import { memberRow, notMember } from './member-row.ts'

/** The changes of one part that take effect together or not at all. */
interface MergedChange {
  merged: Change
  changes: Change[]
}

export async function changeParts(limit: OutputLimit, key: HostKey, changes: readonly Change[]): Promise<Changed> {
  const outputs = changes.map(({ output }) => output)
  const limited = changes.filter(({ limits }) => limits)
  if (limited.length > 0) {
    return limit.transaction(outputs, async statements => {
      const full = await claimsBeyond(statements, limited.filter(canExist))
      const rounds = toRounds(changes.filter(change => !full.has(change)))
      const changed = await applyAll(statements, key, rounds)
      return full.size > 0 ? { ...changed, full: [...full] } : changed
    })
  }
  const rounds = toRounds(changes)
  if (rounds.length === 0) return { applied: [], finished: [] }
  const [first = []] = rounds
  // Claims, for instance: one statement, which is a transaction by itself.
  if (rounds.length === 1 && !first.some(isEnding)) {
    return limit.write(outputs, async statements => ({
      applied: await apply(statements, key, first),
      finished: [],
    }))
  }
  return limit.transaction(outputs, statements => applyAll(statements, key, rounds))
}

async function applyAll(statements: Statements, key: HostKey, rounds: readonly MergedChange[][]): Promise<Changed> {
  const applied: Change[] = []
  for (const round of rounds) applied.push(...(await apply(statements, key, round)))
  const jobs = [...new Set(applied.flatMap(change => (isFinal(change) ? change.job : [])))]
  return { applied, finished: jobs.length > 0 ? await readFinished(statements, jobs) : [] }
}

const isFinal = ({ state }: Change) => state !== undefined && !isUnfinished({ state })
const isEnding = ({ merged }: MergedChange) => isFinal(merged)
const isClaim = ({ from, state }: Change) => from === 'queued' && state === 'sent'

/** Changes of a part that follow each other are one; those that expect another state than the one before leaves come later. */
function toRounds(changes: readonly Change[]): MergedChange[][] {
  const rounds: Map<string, MergedChange>[] = []
  for (const change of changes) {
    if (!canExist(change)) continue
    const key = `${change.job} ${change.index}`
    const at = rounds.findLastIndex(round => round.has(key))
    const before = rounds[at]?.get(key)
    if (before && (before.merged.state ?? before.merged.from) === change.from) {
      mergeUpdate(before.merged, change)
      before.changes.push(change)
    } else {
      const round = rounds[at + 1] ?? new Map<string, MergedChange>()
      round.set(key, { merged: { ...change }, changes: [change] })
      rounds[at + 1] = round
    }
  }
  return rounds.map(round => [...round.values()])
}

/** Locks the host first, then the jobs that may be finished by it, then the parts: as `endParts` does. */
async function apply(statements: Statements, key: HostKey, round: readonly MergedChange[]): Promise<Change[]> {
  const updates = round.map(({ merged }) => merged)
  const jobs = [...new Set(updates.flatMap(update => (isFinal(update) ? update.job : [])))]
  const rows = await sql<{ job: number | null; part: number }>`
    with member as materialized (${memberRow(key)}),
    locked as materialized (
      select id from jobs where id = any(${jobs}::bigint[]) and (select count(*) from member) > 0
      order by id for no key update
    ),
    changes as materialized (
      select changes.*, member.name, member.epoch
      from member, ${updateRows(updates, { from: 'text' })}
      join job_parts on job_parts.job = changes.job and job_parts.part = changes.index
      where (select count(*) from locked) >= 0 and (
        case changes."from"
          when 'queued' then job_parts.state = 'queued'
          else job_parts.state = 'sent' and job_parts.host = member.name and job_parts.host_epoch = member.epoch
        end
        or job_parts.state not in ('queued', 'sent') and job_parts.state = changes.state
          and job_parts.ended = changes.ended and job_parts.host = member.name and job_parts.host_epoch = member.epoch
      )
      order by changes.job, changes.index
      for no key update of job_parts
    ),
    changed as (
      update job_parts set
        ${updatedValues},
        host = case when changes.state is null then job_parts.host else changes.name end,
        host_epoch = case when changes.state is null then job_parts.host_epoch else changes.epoch end,
        -- Not to be taken again, and not to be sent at once any more.
        work = case when changes.state is null then job_parts.work else 0 end,
        direct = job_parts.direct and changes.state is null
      from changes
      where job_parts.job = changes.job and job_parts.part = changes.index
      returning job_parts.job, job_parts.part
    )
    select changed.job, changed.part from member left join changed on true
  `.all(statements)
  if (rows.length === 0 && round.some(({ changes }) => changes.some(isClaim))) throw notMember(key)
  const applied = new Set(rows.map(({ job, part }) => `${job} ${part}`))
  return round.flatMap(({ merged, changes }) => (applied.has(`${merged.job} ${merged.index}`) ? changes : []))
}
