// Which jobs match a filter, and how many of their parts are in each state.
import { setImmediate } from 'node:timers/promises'
import type { Job, JobFilter, PartCounts } from '../store.ts'
import { partsOf } from './job-parts.ts'
import { forEachClient, mayContainClient } from './tables/part-columns.ts'
import { noParts } from './tables/part-counts.ts'
import { chunkSize, maxParts } from './tables/part-ids.ts'
import type { Rows } from './tables/row-types.ts'
import type { Tables } from './tables/tables.ts'

export type CountedRow = { row: Rows['jobs']; counts: PartCounts }

/** Parts that are compared with a list of clients before other work may run. */
const partsPerTick = 20_000

/** Newest first. */
export async function listRows(tables: Tables, { limit, clients, ...filter }: JobFilter): Promise<CountedRow[]> {
  const addrs = clients && new Set(clients)
  const rows: CountedRow[] = []
  let parts = 0
  for (const row of tables.all.jobs.sorted().reverse()) {
    if (rows.length >= limit) break
    // Only with a list of clients the parts of every job are read.
    if (addrs) parts += tables.partCounter.totalOf(row.id)
    if (parts > partsPerTick) {
      parts = 0
      await setImmediate()
    }
    const counted = countMatching(tables, row, filter, addrs)
    if (counted) rows.push(counted)
  }
  return rows
}

/** Undefined when the job has no part of these clients. */
export function countParts(tables: Tables, row: Rows['jobs'], clients: readonly string[]): CountedRow | undefined {
  return countMatching(tables, row, {}, new Set(clients))
}

type Filter = Omit<JobFilter, 'limit' | 'clients'>

function countMatching(
  tables: Tables,
  row: Rows['jobs'],
  filter: Filter,
  addrs: ReadonlySet<string> | undefined,
): CountedRow | undefined {
  if (!mayMatch(tables, row, filter)) return undefined
  if (addrs) return countClients(tables, row, filter, addrs)
  return hasClient(tables, row, filter) ? { row, counts: tables.partCounter.countsOf(row.id) } : undefined
}

/** What needs no parts. */
function mayMatch(tables: Tables, row: Rows['jobs'], { state, command }: Filter): boolean {
  if (command !== undefined && !hasCommand(row, command)) return false
  return state === undefined || tables.partCounter.countsOf(row.id)[state] > 0
}

function hasClient(tables: Tables, row: Rows['jobs'], { state, client }: Filter): boolean {
  if (client === undefined) return true
  for (const part of partsOf(tables, row.id, 0, mayContainClient(client))) {
    if (part.client === client && (state === undefined || part.state === state)) return true
  }
  return false
}

function countClients(
  { all, partCounter }: Tables,
  row: Rows['jobs'],
  { state, client }: Filter,
  addrs: ReadonlySet<string>,
): CountedRow | undefined {
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
    if (!parts) continue
    forEachClient(parts, visit)
    // A compressed row has all parts of its chunk.
    if ('states' in parts) id += chunkSize - 1
  }
  return isMatch ? { row, counts } : undefined
}

/** Parses only the steps of jobs whose text contains the command's name. */
function hasCommand(row: Rows['jobs'], command: string): boolean {
  return row.steps.includes(JSON.stringify(command)) && toJob(row).steps.some(step => step.command === command)
}

export const toJob = ({ by = '', steps, conditions, ...row }: Rows['jobs']): Job => ({
  ...row,
  by,
  steps: JSON.parse(steps),
  ...(conditions && { conditions: { ...conditions } }),
})
