// Jobs and the states of their parts.
import { records } from '../records/all-records.ts'
import { isUnfinished } from '../rules/part-states.ts'
import { endOf, mergeUpdate } from '../rules/parts.ts'
import { finishedEvent } from '../rules/recorded-events.ts'
import type { Change, Changed, EndedPart, FinishedJob, IndexedPart, Store, UnfinishedParts } from '../store.ts'
import { countClients, countComputers, countWaiting, listJobs, readPause } from './job-lists.ts'
import {
  chunksOf,
  clientsOf,
  copyPart,
  deleteParts,
  type IndexedStoredPart,
  partsOf,
  putChunkParts,
  putParts,
  readChunkParts,
  rowsOf,
} from './job-parts.ts'
import { readTexts, toPart } from './outputs.ts'
import { addEvents } from './stored-events.ts'
import { forEachClient, hasUnfinished, mayContainClient, mayContainState } from './tables/part-columns.ts'
import { chunkIdOf, maxParts, partIndexOf } from './tables/part-ids.ts'
import type { PartChunk, StoredPart } from './tables/row-types.ts'
import type { Tables } from './tables/tables.ts'
import type { StoreContext, Transaction } from './tables/transaction.ts'

export function jobs(context: StoreContext): Store['jobs'] {
  return { ...reads(context), ...writes(context) }
}

function reads({ tables, outputs }: StoreContext) {
  const { all, partCounter } = tables
  const withText = (part: IndexedStoredPart, text: string | undefined): IndexedPart => ({
    index: part.index,
    ...toPart(part, text),
  })
  const readParts = async (job: number, parts: IndexedStoredPart[]): Promise<IndexedPart[]> => {
    const texts = await readTexts(outputs, parts, at => job * maxParts + (parts[at]?.index ?? 0))
    return parts.map((part, at) => withText(part, texts[at]))
  }
  return {
    list: filter => listJobs(tables, filter),
    async find(id, clients) {
      const row = all.jobs.get(id)
      if (!row) return undefined
      const counts = clients ? await countClients(tables, id, {}, new Set(clients)) : partCounter.countsOf(id)
      return counts && { ...records.jobs.read(row), counts }
    },
    async parts(id, { after = -1, limit, client, clients, state, outputs: withOutputs = true }) {
      const addrs = clients && new Set(clients)
      const isListed = (part: IndexedStoredPart) =>
        (addrs?.has(part.client) ?? true) &&
        (client === undefined || part.client === client) &&
        (state === undefined || part.state === state)
      const parts: IndexedPart[] = []
      const mayHaveClient = client === undefined ? undefined : mayContainClient(client)
      const mayHaveState = state === undefined ? undefined : mayContainState(state)
      const mayMatch = (chunk: PartChunk) => (mayHaveClient?.(chunk) ?? true) && (mayHaveState?.(chunk) ?? true)
      for (const chunk of chunksOf(tables, id, after + 1, mayMatch)) {
        const listed = chunk.filter(isListed).slice(0, limit - parts.length)
        const read = withOutputs ? await readParts(id, listed) : listed.map(part => withText(part, ''))
        parts.push(...read)
        if (parts.length >= limit) break
        const pause = readPause()
        if (pause) await pause
      }
      return parts
    },
    countComputers: (id, clients) => countComputers(tables, id, clients),
    async unfinished({ after, limit = Number.POSITIVE_INFINITY, state } = {}) {
      const { job: first = 0, index = -1 } = after ?? {}
      const unfinished: UnfinishedParts[] = []
      const isListed = (part: IndexedStoredPart) => isUnfinished(part) && (state === undefined || part.state === state)
      let remaining = limit
      for (const id of [...partCounter.unfinished].filter(each => each >= first).sort((a, b) => a - b)) {
        const row = all.jobs.get(id)
        const from = id === first ? index + 1 : 0
        const parts = firstOf(partsOf(tables, id, from, hasUnfinished), isListed, remaining)
        if (row && parts.length > 0) unfinished.push({ job: records.jobs.read(row), parts: await readParts(id, parts) })
        remaining -= parts.length
        if (remaining <= 0) break
      }
      return unfinished
    },
    waiting: async () => countWaiting(tables),
  } satisfies Partial<Store['jobs']>
}

function writes(context: StoreContext) {
  const { tables, mutate } = context
  const { all, partCounter } = tables
  return {
    add: (job, parts) =>
      mutate(transaction => {
        const id = all.jobs.nextId()
        transaction.put('jobs', records.jobs.store({ ...job, id }))
        putParts(tables, transaction, id, parts)
        if (!partCounter.unfinished.has(id)) finish(context, transaction, { jobs: [id], ending: new Set([id]) })
        return id
      }),
    update: changes => mutate(transaction => change(context, transaction, changes)),
    cancel: (target, reason, ended) =>
      mutate(transaction => {
        const ids = 'job' in target ? [target.job] : [...partCounter.unfinished].sort((a, b) => a - b)
        const clients = target.clients && new Set(target.clients)
        return ids.flatMap(id => {
          const row = all.jobs.get(id)
          const queued = findQueued(tables, id, clients)
          if (!row || queued.length === 0) return []
          const changes = queued.map(index => ({ job: id, index, state: 'cancelled', reason, ended }) as const)
          const { ended: parts, finished } = change(context, transaction, changes)
          return { job: records.jobs.read(row), parts, ...(finished[0] && { finished: finished[0] }) }
        })
      }),
    trim: ({ before, keep }) =>
      mutate(transaction => {
        const finished = all.jobs.sorted().filter(({ id }) => !partCounter.unfinished.has(id))
        const excess = finished.length - keep
        const expired = finished.filter(({ created }, at) => created < before || at < excess)
        for (const { id } of expired) {
          deleteParts(tables, transaction, id)
          transaction.delete('jobs', id)
        }
        return expired.length
      }),
  } satisfies Partial<Store['jobs']>
}

function firstOf<Part>(parts: Iterable<Part>, isListed: (part: Part) => boolean, limit: number): Part[] {
  const listed: Part[] = []
  for (const part of parts) {
    if (listed.length >= limit) break
    if (isListed(part)) listed.push(part)
  }
  return listed
}

/** The indexes of the queued parts of a job, or only those of these clients. */
function findQueued(tables: Tables, job: number, clients: ReadonlySet<string> | undefined): number[] {
  const queued: number[] = []
  let index = 0
  for (const row of rowsOf(tables, job)) {
    forEachClient(row, (client, state) => {
      if (state === 'queued' && (clients?.has(client) ?? true)) queued.push(index)
      index += 1
    })
  }
  return queued
}

function change(context: StoreContext, transaction: Transaction, changes: readonly Change[]): Changed {
  const { tables } = context
  const applied: Change[] = []
  const ended: EndedPart[] = []
  /** Jobs that had an unfinished part: who stores an outcome again gets the end of the job again, but not its event. */
  const ending = new Set<number>()
  for (const [chunk, chunkChanges] of groupByChunk(tables, changes)) {
    const before = readChunkParts(tables, chunk)
    const after = [...before]
    for (const each of chunkChanges) {
      const at = each.index - partIndexOf({ id: chunk })
      const part = after[at]
      if (!part || (each.from !== undefined && part.state !== each.from)) continue
      after[at] = applyUpdate(transaction, chunk + at, part, each)
      applied.push(each)
      const end = endOf(each, part)
      if (end) ended.push(end)
      if (end && isUnfinished(part)) ending.add(end.job)
    }
    const count = after.filter((part, at) => part !== before[at]).length
    if (count > 0) putChunkParts(tables, transaction, chunk, after, count)
  }
  const { partCounter } = tables
  const jobs = [...new Set(ended.map(({ job }) => job))].filter(job => !partCounter.unfinished.has(job))
  return { applied, ended, finished: finish(context, transaction, { jobs, ending }) }
}

/** Of jobs without unfinished parts; `ending`: those whose last part this transaction ends. */
function finish(
  context: StoreContext,
  transaction: Transaction,
  { jobs, ending }: { jobs: readonly number[]; ending: ReadonlySet<number> },
): FinishedJob[] {
  const { all, partCounter } = context.tables
  const finished = jobs.map(job => {
    const { name = '', by = '' } = all.jobs.get(job) ?? {}
    return { job, name, by, counts: partCounter.countsOf(job), clients: clientsOf(context.tables, job) }
  })
  addEvents(context, transaction, finished.filter(({ job }) => ending.has(job)).map(finishedEvent))
  return finished
}

/** Leaves out updates of unknown jobs, and indexes whose ids would belong to another job. */
function groupByChunk({ all }: Tables, updates: readonly Change[]): Map<number, Change[]> {
  const groups = new Map<number, Change[]>()
  for (const update of updates) {
    const { job, index } = update
    if (!all.jobs.get(job) || !(index >= 0 && index < maxParts)) continue
    const chunk = chunkIdOf(job, index)
    const group = groups.get(chunk)
    if (group) group.push(update)
    else groups.set(chunk, [update])
  }
  return groups
}

function applyUpdate(transaction: Transaction, id: number, part: StoredPart, update: Change): StoredPart {
  const changed = copyPart(part, part.output)
  mergeUpdate(changed, update)
  if (update.output !== undefined) changed.output = transaction.putOutput(id, update.output)
  return changed
}
