// Which jobs match a filter, and how many of their parts are in each state.
import { records } from '../records/all-records.ts'
import { noParts } from '../rules/parts.ts'
import type { Job, JobFilter, Part, PartCounts } from '../store.ts'
import { chunksOf } from './job-parts.ts'
import { readPause } from './read-slices.ts'
import { forEachClient, mayContainClient } from './tables/part-columns.ts'
import { chunkSize, maxParts } from './tables/part-ids.ts'
import type { Rows } from './tables/row-types.ts'
import type { Tables } from './tables/tables.ts'

interface CountedRow {
  row: Rows['jobs']
  counts: PartCounts
}

type CountedJob = Job & { counts: PartCounts }

export const withCounts = ({ row, counts }: CountedRow): CountedJob => ({ ...records.jobs.read(row), counts })

/** Newest first. */
export async function listJobs(tables: Tables, { limit, clients, ...filter }: JobFilter): Promise<CountedJob[]> {
  const addrs = clients && new Set(clients)
  const jobs: CountedJob[] = []
  for (const row of tables.all.jobs.sorted().reverse()) {
    if (jobs.length >= limit) break
    const pause = readPause()
    if (pause) await pause
    const counted = mayMatch(tables, row, filter) && (await countMatching(tables, row, filter, addrs))
    if (counted) jobs.push(withCounts(counted))
  }
  return jobs
}

/** Undefined when the job has no part of these clients. */
export function countParts(
  tables: Tables,
  row: Rows['jobs'],
  clients: readonly string[],
): Promise<CountedRow | undefined> {
  return countClients(tables, row, {}, new Set(clients))
}

type Filter = Omit<JobFilter, 'limit' | 'clients'>

/** What needs no parts. */
function mayMatch(tables: Tables, row: Rows['jobs'], { state, command }: Filter): boolean {
  if (command !== undefined && !hasCommand(row, command)) return false
  return state === undefined || tables.partCounter.countsOf(row.id)[state] > 0
}

function countMatching(
  tables: Tables,
  row: Rows['jobs'],
  filter: Filter,
  addrs: ReadonlySet<string> | undefined,
): CountedRow | undefined | Promise<CountedRow | undefined> {
  if (addrs) return countClients(tables, row, filter, addrs)
  const counted = () => ({ row, counts: tables.partCounter.countsOf(row.id) })
  if (filter.client === undefined) return counted()
  return hasClient(tables, row, filter).then(isListed => (isListed ? counted() : undefined))
}

async function hasClient(tables: Tables, row: Rows['jobs'], { state, client = '' }: Filter): Promise<boolean> {
  const isMatch = (part: Pick<Part, 'client' | 'state'>) =>
    part.client === client && (state === undefined || part.state === state)
  for (const chunk of chunksOf(tables, row.id, 0, mayContainClient(client))) {
    if (chunk.some(isMatch)) return true
    const pause = readPause()
    if (pause) await pause
  }
  return false
}

/** Undefined when the job has no part that matches. */
async function countClients(
  { all, partCounter }: Tables,
  row: Rows['jobs'],
  { state, client }: Filter,
  addrs: ReadonlySet<string>,
): Promise<CountedRow | undefined> {
  const counts = noParts()
  let isMatch = false
  const visit = (partClient: string, partState: keyof PartCounts) => {
    if (!addrs.has(partClient)) return
    counts[partState] += 1
    isMatch ||= (client === undefined || client === partClient) && (state === undefined || state === partState)
  }
  const first = row.id * maxParts
  const end = first + partCounter.totalOf(row.id)
  for (let id = first; id < end; id += 1) {
    const parts = all.parts.get(id)
    if (parts) forEachClient(parts, visit)
    // A compressed row has all parts of its chunk.
    if (parts && 'states' in parts) id += chunkSize - 1
    const pause = (id + 1) % chunkSize === 0 ? readPause() : undefined
    if (pause) await pause
  }
  return isMatch ? { row, counts } : undefined
}

/** Parses only the steps of jobs whose text contains the command's name. */
function hasCommand(row: Rows['jobs'], command: string): boolean {
  return (
    row.steps.includes(JSON.stringify(command)) && records.jobs.read(row).steps.some(step => step.command === command)
  )
}
