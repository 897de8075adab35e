// Storage of job parts: chunks of 128, each either one compressed row or single rows while its parts still change.
import { isUnfinished } from '../rules/part-states.ts'
import type { Part } from '../store.ts'
import { droppedReference } from './outputs.ts'
import { decodeChunk, encodeChunk, forEachClient } from './tables/part-columns.ts'
import { chunkIdOf, chunkSize, maxParts, partIndexOf } from './tables/part-ids.ts'
import type { PartChunk, PartRow, StoredPart } from './tables/row-types.ts'
import type { Tables } from './tables/tables.ts'
import type { Transaction } from './tables/transaction.ts'

/** From this many parts that are written or changed together on, one compressed row is cheaper than single rows. */
const manyParts = 16

export type IndexedStoredPart = StoredPart & { index: number }

/** The parts of a chunk: its single rows themselves, or the decoded parts of its compressed row. */
export function readChunkParts({ all }: Tables, id: number): StoredPart[] {
  const first = all.parts.get(id)
  if (first && 'states' in first) return decodeChunk(first)
  const parts: PartRow[] = []
  for (let at = id; at < id + chunkSize; at += 1) {
    const row = all.parts.get(at)
    if (!row || 'states' in row) break
    parts.push(row)
  }
  return parts
}

/**
 * Writes a chunk of which `changes` parts differ from the result of `readChunkParts`: only the changed single rows, or
 * one compressed row when many parts change at once, or while none has been sent: those that wait stay in little memory.
 */
export function putChunkParts(
  tables: Tables,
  transaction: Transaction,
  id: number,
  parts: readonly StoredPart[],
  changes: number,
): void {
  const rows = tables.all.parts
  const first = rows.get(id)
  const isCompressed = !first || 'states' in first
  const isRewritten = isCompressed && (changes >= manyParts || (first && !parts.some(isRunning)))
  if (isRewritten || !parts.some(isUnfinished)) {
    transaction.put('parts', encodeChunk(id, parts))
    if (!isCompressed) for (let at = id + 1; at < id + parts.length; at += 1) transaction.delete('parts', at)
    return
  }
  for (const [at, part] of parts.entries()) {
    if (rows.get(id + at) !== part) transaction.put('parts', { id: id + at, ...copyPart(part, part.output) })
  }
}

const isRunning = ({ state }: StoredPart) => state === 'sent'

/** Writes a new job's parts. */
export function putParts(tables: Tables, transaction: Transaction, job: number, parts: readonly Part[]): void {
  if (parts.length > maxParts)
    throw new Error(`store: parts of a job: expected at most ${maxParts}, got ${parts.length}`)
  for (let from = 0; from < parts.length; from += chunkSize) {
    const id = chunkIdOf(job, from)
    const chunk = parts.slice(from, from + chunkSize).map((part, at) => toStoredPart(transaction, id + at, part))
    putChunkParts(tables, transaction, id, chunk, chunk.length)
  }
}

export function deleteParts(tables: Tables, transaction: Transaction, job: number): void {
  for (const { id } of [...rowsOf(tables, job)]) transaction.delete('parts', id)
}

/** The rows of a job's parts, in order. */
export function* rowsOf({ all, partCounter }: Tables, job: number): Generator<PartRow | PartChunk> {
  const end = job * maxParts + partCounter.totalOf(job)
  for (let id = job * maxParts; id < end; id += 1) {
    const row = all.parts.get(id)
    if (!row) continue
    yield row
    // A compressed row has all parts of its chunk.
    if ('states' in row) id += chunkSize - 1
  }
}

/** The addresses of a job's parts. */
export function clientsOf(tables: Tables, job: number): string[] {
  const clients = new Set<string>()
  for (const row of rowsOf(tables, job)) forEachClient(row, client => void clients.add(client))
  return [...clients]
}

/** `id` is that of the part's row. */
export function toStoredPart(transaction: Transaction, id: number, part: Readonly<Part>): StoredPart {
  return copyPart(part, part.output_dropped ? droppedReference : transaction.putOutput(id, part.output))
}

/** Copies of a job's parts by their chunks, in order, from index `from` on; skips compressed rows that `mayMatch` rejects. */
export function* chunksOf(
  tables: Tables,
  job: number,
  from = 0,
  mayMatch: (chunk: PartChunk) => boolean = () => true,
): Generator<IndexedStoredPart[]> {
  const end = job * maxParts + tables.partCounter.totalOf(job)
  for (let id = chunkIdOf(job, from); id < end; id += chunkSize) {
    const first = tables.all.parts.get(id)
    if (first && 'states' in first && !mayMatch(first)) continue
    const parts = readChunkParts(tables, id).map((part, at) => ({
      index: partIndexOf({ id }) + at,
      ...copyPart(part, part.output),
    }))
    yield id < job * maxParts + from ? parts.filter(({ index }) => index >= from) : parts
  }
}

/** As `chunksOf`, one by one. */
export function* partsOf(...args: Parameters<typeof chunksOf>): Generator<IndexedStoredPart> {
  for (const chunk of chunksOf(...args)) yield* chunk
}

/** Copies key by key: additional keys are not stored. */
export function copyPart(part: Omit<StoredPart, 'output'>, output: StoredPart['output']) {
  const { client, step, state, reason, queued, sent, ended, expires } = part
  return { client, step, state, reason, queued, sent, ended, expires, output }
}
