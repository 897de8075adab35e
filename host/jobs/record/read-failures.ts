// Reads from the newest jobs of the store which commands have failed on which computers, and have not succeeded there since.
import type { Job, JobFilter, Part, PartCounts, Store } from '../../../stores/store.ts'
import type { FailureEntry } from '../../contract/services.ts'
import { slices } from '../../system/request-slices.ts'

type FailureStore = Pick<Store, 'jobs' | 'computers'>

/** Jobs of one read, and the parts of them. What is older is not looked at. */
const mostJobs = 1000
const mostParts = 1_000_000

interface Outcome extends FailureEntry {
  state: 'success' | 'failure'
}

/** '' of commands that do not tell their runs apart. */
export type RunOf = (step: Job['steps'][number]) => string

/** The success of an ending command ends all failures of a client. */
export async function readFailures(
  store: FailureStore,
  endingCommands: readonly string[],
  runOf: RunOf,
): Promise<FailureList> {
  const failed = await newestJobs(store, { state: 'failure' })
  const newest = new Map<string, Outcome>()
  for (const job of failed.jobs) await addOutcomes(store, job, newest, runOf)
  const candidates = await ofRecords(store, [...newest.values()].filter(isFailure))
  const clients = [...new Set(candidates.map(({ client }) => client))]
  if (clients.length === 0) return new FailureList()
  const read = new Set(failed.jobs.map(({ id }) => id))
  /** By command: in older jobs it is not known what ended later. */
  const oldest = new Map<string, number>()
  for (const command of new Set([...candidates.map(each => each.command), ...endingCommands])) {
    const succeeded = await newestJobs(store, { state: 'success', command, clients })
    oldest.set(command, succeeded.oldest)
    for (const job of succeeded.jobs) {
      if (!read.has(job.id)) await addOutcomes(store, job, newest, runOf, clients)
      read.add(job.id)
    }
  }
  const failures = new FailureList()
  await slices.forEach(candidates, ({ state: _, ...failure }) => {
    const { client, command, run, job, ended } = failure
    const enders = [[command, run], ...endingCommands.map(each => [each, ''])]
    const isOpen = enders.every(([each = '', itsRun = '']) => {
      const last = newest.get(keyOf(client, each, itsRun))
      return job >= (oldest.get(each) ?? 0) && !(last?.state === 'success' && last.ended >= ended)
    })
    if (isOpen) failures.add(failure)
  })
  return failures
}

/** Newest first. `oldest`: the id of the oldest one when there are more, else 0. */
async function newestJobs({ jobs: { list } }: FailureStore, filter: Omit<JobFilter, 'limit'>) {
  const listed = await list({ ...filter, limit: mostJobs })
  let parts = 0
  const jobs = listed.filter(({ counts }, at) => {
    parts += sumOf(counts)
    return at === 0 || parts <= mostParts
  })
  const isAll = listed.length < mostJobs && jobs.length === listed.length
  return { jobs, oldest: isAll ? 0 : (jobs.at(-1)?.id ?? 0) }
}

/** Adds those that are later than what is known of the same command on the same client. */
async function addOutcomes(
  { jobs }: FailureStore,
  { id: job, steps }: Job,
  newest: Map<string, Outcome>,
  runOf: RunOf,
  clients?: readonly string[],
): Promise<void> {
  const runs = steps.map(runOf)
  const page = { limit: Number.MAX_SAFE_INTEGER, outputs: false, ...(clients && { clients }) }
  await slices.forEach(await jobs.parts(job, page), ({ client, step, state, reason, ended }: Part) => {
    if (state !== 'success' && state !== 'failure') return
    const command = steps[step]?.command ?? ''
    const run = runs[step] ?? ''
    const key = keyOf(client, command, run)
    if (ended >= (newest.get(key)?.ended ?? 0)) newest.set(key, { client, command, run, job, state, reason, ended })
  })
}

const keyOf = (client: string, command: string, run: string) => `${client} ${command} ${run}`
const isFailure = ({ state }: Outcome) => state === 'failure'

/** Failures of computers that were deleted since stay in their jobs only. */
async function ofRecords({ computers }: FailureStore, failures: readonly Outcome[]): Promise<Outcome[]> {
  const records = await computers.findMany([...new Set(failures.map(({ client }) => client))])
  const known = new Set(records.map(({ ip }) => ip))
  return failures.filter(({ client }) => known.has(client))
}

const sumOf = (counts: PartCounts): number => Object.values(counts).reduce((sum, count) => sum + count, 0)

/** Of a client: scripts that no other one equals would become more and more. */
const mostFailures = 20

/** By client, command and run: of each client the newest. */
export class FailureList {
  readonly #clients = new Map<string, Map<string, FailureEntry>>()

  /** Replaces an earlier failure of the same run on that client. */
  add(failure: FailureEntry): void {
    const { client, command, run } = failure
    const failures = this.#clients.get(client) ?? new Map<string, FailureEntry>()
    this.#clients.set(client, failures.set(`${command} ${run}`, failure))
    if (failures.size <= mostFailures) return
    const [oldest] = [...failures].sort(([, one], [, other]) => one.ended - other.ended)
    if (oldest) failures.delete(oldest[0])
  }

  has(client: string): boolean {
    return this.#clients.has(client)
  }

  /** Removes the failure of the run on the client, or all of the client. */
  end(client: string, command?: string, run = ''): void {
    const failures = this.#clients.get(client)
    if (command !== undefined) failures?.delete(`${command} ${run}`)
    if (command === undefined || failures?.size === 0) this.#clients.delete(client)
  }

  *[Symbol.iterator](): Generator<FailureEntry> {
    for (const failures of this.#clients.values()) yield* failures.values()
  }
}
