// Which jobs match a filter, and how many of their parts are in each state.
import { records } from '../records/all-records.ts'
import { groupBy } from '../rules/group-by.ts'
import { noParts } from '../rules/part-states.ts'
import { stopperOf } from '../rules/stopped-parts.ts'
import { createSlicePause } from '../rules/work-slices.ts'
import type { Job, JobFilter, Part, PartCounts, WaitingParts } from '../store.ts'
import { chunksOf, rowsOf } from './job-parts.ts'
import { forEachClient, mayContainClient } from './tables/part-columns.ts'
import { chunkSize } from './tables/part-ids.ts'
import type { Rows } from './tables/row-types.ts'
import type { Tables } from './tables/tables.ts'

/** The long reads of all stores get the time slices in turn. */
export const readPause = createSlicePause()

type JobRow = Rows['jobs']
type CountedJob = Job & { counts: PartCounts }

/** Newest first. */
export async function listJobs(tables: Tables, { limit, clients, ...filter }: JobFilter): Promise<CountedJob[]> {
  const addrs = clients && new Set(clients)
  const jobs: CountedJob[] = []
  for (const row of tables.all.jobs.sorted().reverse()) {
    if (jobs.length >= limit) break
    const pause = readPause()
    if (pause) await pause
    const counts = mayMatch(tables, row, filter) && (await countMatching(tables, row, filter, addrs))
    if (counts) jobs.push({ ...records.jobs.read(row), counts })
  }
  return jobs
}

type Filter = Omit<JobFilter, 'limit' | 'clients'>

/** What needs no parts. */
function mayMatch(tables: Tables, row: JobRow, { state, command, schedule }: Filter): boolean {
  if (schedule !== undefined && row.schedule !== schedule) return false
  if (command !== undefined && !hasCommand(row, command)) return false
  return state === undefined || tables.partCounter.countsOf(row.id)[state] > 0
}

function countMatching(
  tables: Tables,
  row: JobRow,
  filter: Filter,
  addrs: ReadonlySet<string> | undefined,
): PartCounts | undefined | Promise<PartCounts | undefined> {
  if (addrs) return countClients(tables, row.id, filter, addrs)
  const count = () => tables.partCounter.countsOf(row.id)
  if (filter.client === undefined) return count()
  return hasClient(tables, row, filter).then(isListed => (isListed ? count() : undefined))
}

async function hasClient(tables: Tables, row: JobRow, { state, client = '' }: Filter): Promise<boolean> {
  const isMatch = (part: Pick<Part, 'client' | 'state'>) =>
    part.client === client && (state === undefined || part.state === state)
  for (const chunk of chunksOf(tables, row.id, 0, mayContainClient(client))) {
    if (chunk.some(isMatch)) return true
    const pause = readPause()
    if (pause) await pause
  }
  return false
}

/** Of the parts of these clients; undefined when none of them matches. */
export async function countClients(
  tables: Tables,
  job: number,
  { state, client }: Filter,
  addrs: ReadonlySet<string>,
): Promise<PartCounts | undefined> {
  const counts = noParts()
  let isMatch = false
  const visit = (partClient: string, partState: keyof PartCounts) => {
    if (!addrs.has(partClient)) return
    counts[partState] += 1
    isMatch ||= (client === undefined || client === partClient) && (state === undefined || state === partState)
  }
  for (const row of rowsOf(tables, job)) {
    forEachClient(row, visit)
    // Between two chunks: single rows of one may become one row meanwhile.
    const pause = 'states' in row || (row.id + 1) % chunkSize === 0 ? readPause() : undefined
    if (pause) await pause
  }
  return isMatch ? counts : undefined
}

export async function countComputers(tables: Tables, job: number, clients?: readonly string[]) {
  const addrs = clients && new Set(clients)
  /** The first part of each computer that did not succeed, or its first one. */
  const decisive = new Map<string, Pick<Part, 'step' | 'state' | 'reason'>>()
  for (const chunk of chunksOf(tables, job)) {
    for (const { client, step, state, reason } of chunk) {
      if (addrs?.has(client) === false) continue
      const earlier = decisive.get(client)
      if (earlier && !isDecisive({ step, state }, earlier)) continue
      decisive.set(client, { step, state, reason: stopperOf(reason) === undefined ? '' : reason })
    }
    const pause = readPause()
    if (pause) await pause
  }
  const groups = groupBy(decisive.values(), ({ step, state, reason }) => JSON.stringify([step, state, reason]))
  return [...groups.values()].flatMap(([first, ...others]) => (first ? { ...first, count: 1 + others.length } : []))
}

function isDecisive(part: Pick<Part, 'step' | 'state'>, earlier: Pick<Part, 'step' | 'state'>): boolean {
  const [isSuccess, wasSuccess] = [part, earlier].map(({ state }) => state === 'success')
  return isSuccess === wasSuccess ? part.step < earlier.step : wasSuccess === true
}

/** Parses only the steps of jobs whose text contains the command's name. */
function hasCommand(row: JobRow, command: string): boolean {
  return (
    row.steps.includes(JSON.stringify(command)) && records.jobs.read(row).steps.some(step => step.command === command)
  )
}

export function countWaiting({ all, partCounter }: Tables): WaitingParts[] {
  const waiting = new Map<string, WaitingParts>()
  for (const id of partCounter.unfinished) {
    const { queued } = partCounter.countsOf(id)
    if (queued === 0) continue
    const { account = '', steps = '' } = all.jobs.get(id) ?? {}
    const work = waiting.get(account) ?? { account, parts: 0, jobs: 0, characters: 0 }
    waiting.set(account, work)
    work.parts += queued
    work.jobs += 1
    work.characters += steps.length
  }
  return [...waiting.values()]
}
