// Sums up the job of a firing by computers: how many succeeded, and which did not and why.
import { isUnfinished, type PartState } from '../../../stores/rules/part-states.ts'
import { shortReason } from '../../../stores/rules/short-reason.ts'
import type { Job, Store } from '../../../stores/store.ts'
import type { FiringEntry } from '../../contract/services.ts'
import { allParts, endOf, grouped, outcomeOf } from '../job-report.ts'

export interface FiringOutcome {
  /** ISO time; absent while a part is unfinished. */
  ended?: string
  computers: number
  succeeded: number
  waiting: number
  /** Absent where an earlier version has stored it: it took them for failed. */
  not_run?: number
  /** ISO time until which those that wait may begin. */
  until?: string
  problems: FiringEntry['problems']
}

export interface FiringRecord {
  /** When it was due, milliseconds since 1970. */
  time: number
  job?: number
  /** Why there is no job. */
  problem?: { state: 'refused' | 'missed'; reason: string }
  /** Once its job has ended. */
  outcome?: FiringOutcome
}

/** Further ones are only counted with the job, so that the record of a firing stays small. */
const mostProblems = 20
const mostClients = 100

export async function readOutcome(job: Job, store: Pick<Store, 'jobs'>): Promise<FiringOutcome> {
  const parts = await allParts(store, job.id)
  const byClient = await grouped(parts, ({ client }) => client)
  const rows = Array.from(byClient, ([client, own]) => ({
    client,
    ...shortOutcome(outcomeOf(job, '', own)),
    isOpen: own.some(isUnfinished),
  }))
  const countEnded = (matches: (state: PartState) => boolean) =>
    rows.filter(({ isOpen, state }) => !isOpen && matches(state)).length
  const waiting = rows.filter(({ isOpen }) => isOpen).length
  const until = job.conditions?.until
  const ended = parts.length === 0 ? new Date(job.created).toISOString() : endOf(parts)
  return {
    ...(ended !== undefined && { ended }),
    computers: rows.length,
    succeeded: countEnded(state => state === 'success'),
    waiting,
    not_run: countEnded(state => state !== 'success' && state !== 'failure'),
    ...(waiting > 0 && until !== undefined && { until: new Date(until).toISOString() }),
    problems: await groupProblems(rows.filter(({ state }) => state !== 'success' && !isUnfinished({ state }))),
  }
}

const shortOutcome = <Outcome extends { reason?: string | undefined }>({ reason, ...outcome }: Outcome) => ({
  ...outcome,
  reason: reason && shortReason(reason),
})

interface Row {
  client: string
  state: PartState
  command?: string | undefined
  reason?: string | undefined
}

/** Computers with the same outcome, the largest groups first. */
async function groupProblems(rows: readonly Row[]): Promise<FiringEntry['problems']> {
  const groups = await grouped(rows, ({ state, command, reason }) => JSON.stringify([state, command, reason]))
  const sorted = [...groups.values()].sort((one, other) => other.length - one.length).slice(0, mostProblems)
  return sorted.map(own => {
    const [{ state, command = '', reason } = { state: 'failure' as const, reason: undefined }] = own
    const clients = own.slice(0, mostClients).map(({ client }) => client)
    return { state, command, ...(reason !== undefined && { reason }), computers: own.length, clients }
  })
}

export function toEntry(
  { id, name }: { id: number; name: string },
  { time, job, problem }: FiringRecord,
  outcome: FiringOutcome | undefined,
): FiringEntry {
  const { ended, computers = 0, succeeded = 0, waiting = 0, not_run = 0, until, problems = [] } = outcome ?? {}
  const none = outcome?.computers === 0 ? ({ state: 'empty', reason: 'no computer was found' } as const) : undefined
  // Its job was deleted before it was seen to end.
  const lost = { state: 'ended', reason: 'its job is not stored any more' } as const
  const { state, reason } = problem ?? none ?? (outcome ? { state: stateOf(outcome), reason: undefined } : lost)
  return {
    schedule: id,
    name,
    time: new Date(time).toISOString(),
    state,
    ...(job !== undefined && { job }),
    ...(reason !== undefined && { reason }),
    ...(ended !== undefined && { ended }),
    computers,
    succeeded,
    failed: computers - succeeded - waiting - not_run,
    not_run,
    waiting,
    ...(until !== undefined && { until }),
    problems,
  }
}

const stateOf = ({ ended }: FiringOutcome) => (ended === undefined ? 'running' : 'ended')
