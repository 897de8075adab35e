// Where a job's parts are: a stretch of them in one pack, or each in a row of its own while single ones change.
import type { IndexedPart, Part } from '../store.ts'
import { fromPack, isLive, toPack } from './tables/part-columns.ts'
import type { OwnPart, Pack, Row } from './tables/row-types.ts'
import type { Tables } from './tables/tables.ts'
import type { Edit } from './tables/transaction.ts'

/** Parts that are packed together: what one outcome may rewrite at most, and still little memory for each. */
const stretch = 128

/** Parts that are written, or change, together: so many are a pack sooner than rows. */
const manyParts = 16

/** A part's id is its job's times this, and its number: so no index is needed. Leaves 2^31 jobs. */
export const mostParts = 2 ** 22

export const jobOf = ({ id }: Row) => Math.floor(id / mostParts)
export const numberOf = ({ id }: Row) => id % mostParts

/** The id of the stretch that a part is in, which is that of its first part or of its pack. */
export const stretchOf = (job: number, index: number) => job * mostParts + index - (index % stretch)

/** A stretch's parts: the rows themselves, or what their pack says. */
export function readStretch({ all }: Tables, id: number): Readonly<Part>[] {
  const first = all.parts.get(id)
  if (first && 'states' in first) return fromPack(first)
  const parts: OwnPart[] = []
  for (let at = id; at < id + stretch; at += 1) {
    const row = all.parts.get(at)
    if (!row || 'states' in row) break
    parts.push(row)
  }
  return parts
}

/**
 * Writes a stretch of which so many parts are not what `readStretch` gave: those alone where they have rows, or all in
 * one pack when many of it change or none of them is live.
 */
export function putStretch(tables: Tables, edit: Edit, id: number, parts: readonly Readonly<Part>[], changes: number) {
  const rows = tables.all.parts
  const first = rows.get(id)
  const isPacked = !first || 'states' in first
  if (!parts.some(isLive) || (isPacked && changes >= manyParts)) {
    edit.put('parts', toPack(id, parts))
    if (!isPacked) for (let at = id + 1; at < id + parts.length; at += 1) edit.delete('parts', at)
    return
  }
  for (const [at, part] of parts.entries()) {
    if (rows.get(id + at) !== part) edit.put('parts', { id: id + at, ...copyPart(part) })
  }
}

/** Writes a new job's parts. */
export function putParts(tables: Tables, edit: Edit, job: number, parts: readonly Part[]): void {
  if (parts.length > mostParts) throw new Error(`store: a job has ${mostParts} parts at most, got ${parts.length}`)
  for (let from = 0; from < parts.length; from += stretch) {
    const some = parts.slice(from, from + stretch)
    putStretch(tables, edit, stretchOf(job, from), some, some.length)
  }
}

export function deleteParts({ all, tally }: Tables, edit: Edit, job: number): void {
  const end = job * mostParts + tally.total(job)
  for (let id = job * mostParts; id < end; id += 1) if (all.parts.get(id)) edit.delete('parts', id)
}

/** Copies of a job's parts, in order, from number `from` on; packs that are not `wanted` are passed over. */
export function* partsOf(
  tables: Tables,
  job: number,
  from = 0,
  wanted: (pack: Pack) => boolean = () => true,
): Generator<IndexedPart> {
  const end = job * mostParts + tables.tally.total(job)
  for (let id = stretchOf(job, from); id < end; id += stretch) {
    const first = tables.all.parts.get(id)
    if (first && 'states' in first && !wanted(first)) continue
    for (const [at, part] of readStretch(tables, id).entries()) {
      const index = numberOf({ id }) + at
      if (index >= from) yield { index, ...copyPart(part) }
    }
  }
}

/** Written out key by key: what else the object carries is left out. */
export function copyPart(part: Readonly<Part>): Part {
  const { client, step, state, reason, queued, sent, ended, expires, output } = part
  return { client, step, state, reason, queued, sent, ended, expires, output }
}
