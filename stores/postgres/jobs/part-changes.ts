// Changes of parts, also under the condition that they are still queued, or sent by the same life of the same host.
import { isUnfinished } from '../../rules/part-states.ts'
import { endOf, mergeUpdate } from '../../rules/parts.ts'
import type { RecordedTypes } from '../../rules/recorded-events.ts'
import type { Change, Changed, HostKey } from '../../store.ts'
import { claimsBeyond } from '../cluster/claim-limits.ts'
import { memberRow, notMember } from '../cluster/member-row.ts'
import type { Statements } from '../connection/database.ts'
import { sql } from '../connection/sql.ts'
import { finishJobs, type WorkDeps } from './ended-parts.ts'
import { unfinished } from './job-reads.ts'
import { canExist, toStored, updatedValues, updateRows } from './part-rows.ts'
import type { PartRow } from './work-rows.ts'

/** The changes of one part that take effect together or not at all. */
interface MergedChange {
  merged: Change
  changes: Change[]
}

/** `key`: undefined for a daemon alone: nobody else changes parts, and it keeps limits itself. */
export async function changeParts(
  { limit, recorded }: WorkDeps,
  key: HostKey | undefined,
  changes: readonly Change[],
): Promise<Changed> {
  const outputs = changes.map(({ output }) => output)
  const limited = key ? changes.filter(({ limits }) => limits) : []
  if (limited.length > 0) {
    return limit.transaction(outputs, async statements => {
      const full = await claimsBeyond(statements, limited.filter(canExist))
      const rounds = toRounds(changes.filter(change => !full.has(change)))
      const changed = await applyAll(statements, { key, rounds, recorded })
      return full.size > 0 ? { ...changed, full: [...full] } : changed
    })
  }
  const rounds = toRounds(changes)
  // Claims, for instance: one statement, which is a transaction by itself.
  const isOne = rounds.length === 1 && rounds[0]?.some(isEnding) === false
  if (rounds.length === 0) return { applied: [], ended: [], finished: [] }
  return limit[isOne ? 'write' : 'transaction'](outputs, statements => applyAll(statements, { key, rounds, recorded }))
}

async function applyAll(
  statements: Statements,
  { key, rounds, recorded }: { key: HostKey | undefined; rounds: readonly MergedChange[][]; recorded: RecordedTypes },
): Promise<Changed> {
  const changed: Changed = { applied: [], ended: [], finished: [] }
  const ending = new Set<number>()
  for (const round of rounds) await apply(statements, { key, round, changed, ending })
  const jobs = [...new Set(changed.ended.map(({ job }) => job))]
  if (jobs.length > 0) changed.finished = await finishJobs(statements, jobs, { recorded, ending })
  return changed
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
    if (before && isNext(before.merged, change)) {
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

/** Whether the part is in the state that a change expects when the one before has taken effect. */
const isNext = (before: Change, { from }: Change) => from === undefined || (before.state ?? before.from) === from

const noMember = sql`select null::text as name, null::bigint as epoch`
const isOfMember = sql`job_parts.host = member.name and job_parts.host_epoch = member.epoch`

interface Round {
  key: HostKey | undefined
  round: readonly MergedChange[]
  /** Gets those that are applied, and the parts that have ended. */
  changed: Pick<Changed, 'applied' | 'ended'>
  /** Gets the jobs of parts that were not ended before. */
  ending: Set<number>
}

/** Locks the host first, then the jobs that may be finished by it, then the parts: as `endParts` does. */
async function apply(statements: Statements, { key, round, changed, ending }: Round): Promise<void> {
  const updates = round.map(({ merged }) => merged)
  const jobs = [...new Set(updates.flatMap(update => (isFinal(update) ? update.job : [])))]
  const isOwn = key ? isOfMember : sql`true`
  const rows = await sql<{ job: number | null; is_ending: boolean } & Pick<PartRow, 'part' | 'client' | 'step'>>`
    with member as materialized (${key ? memberRow(key) : noMember}),
    locked as materialized (
      select id from jobs where id = any(${jobs}::bigint[]) and (select count(*) from member) > 0
      order by id for no key update
    ),
    changes as materialized (
      select changes.*, member.name, member.epoch, ${unfinished} as is_ending
      from member, ${updateRows(updates, { from: 'text' })}
      join job_parts on job_parts.job_id = changes.job and job_parts.part = changes.index
      where (select count(*) from locked) >= 0 and (
        case changes."from"
          when 'queued' then job_parts.state = 'queued'
          when 'sent' then job_parts.state = 'sent' and ${isOwn}
          else true
        end
        or not (${unfinished}) and job_parts.state = changes.state
          and job_parts.ended is not distinct from ${toStored('changes', 'ended')} and ${isOwn}
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
        work = case when changes.state is null then job_parts.work end,
        direct = job_parts.direct and changes.state is null
      from changes
      where job_parts.job_id = changes.job and job_parts.part = changes.index
      returning job_parts.job_id as job, job_parts.part, job_parts.client, job_parts.step,
        changes.is_ending
    )
    select changed.* from member left join changed on true
  `.all(statements)
  if (key && rows.length === 0 && round.some(({ changes }) => changes.some(isClaim))) throw notMember(key)
  const rowsByName = new Map(rows.map(row => [`${row.job} ${row.part}`, row]))
  for (const { merged, changes } of round) {
    const row = rowsByName.get(`${merged.job} ${merged.index}`)
    if (!row) continue
    changed.applied.push(...changes)
    const end = endOf(merged, row)
    if (!end) continue
    changed.ended.push(end)
    if (row.is_ending) ending.add(end.job)
  }
}
