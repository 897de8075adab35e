// What has changed in the inventory of a computer: how it is found, cut and stored, and the events of it.
import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { InventoryChange } from '../contract/services.ts'
import type { FleetEvent } from '../system/events.ts'

type Place = Pick<InventoryChange, 'kind' | 'disk' | 'partition'>

/** `from`: a digest of what was there before, by which a change is recognised that was stored without its inventory. */
interface StoredChange extends Omit<InventoryChange, 'time'> {
  time: number
  from: string
}

/** The value of a document; its key is the id of the computer. */
export interface InventoryHistory {
  /** Its address when this was written. */
  addr: string
  /** When the first inventory of each kind came; absent: before histories were kept. */
  since: Partial<Record<InventoryChange['kind'], number>>
  /** The oldest first, each later than the one before. */
  changes: StoredChange[]
  /** From this time on, changes are of the last write; absent: it had none. */
  written?: number
}

/** The names of one kind before and after a report; `before` is undefined when nothing was known. */
export interface Comparison extends Place {
  before: readonly string[] | undefined
  after: readonly string[]
}

export const historyCollection = { pack: '', collection: 'inventory-history' }

/** Names that one list of a change has, and those of all changes of a computer. */
const [longestList, mostNames] = [50, 200]

/** Whether a report changes something, or may be the first one. */
export const isNoteworthy = ({ before, after }: Comparison): boolean =>
  before === undefined || !isDeepStrictEqual([...before].sort(), [...after].sort())

/** Undefined: there is nothing to store. */
export function addChanges(
  stored: InventoryHistory | undefined,
  comparisons: readonly Comparison[],
  { addr, now }: { addr: string; now: number },
): InventoryHistory | undefined {
  const known = new Set([...Object.keys(stored?.since ?? {}), ...(stored?.changes ?? []).map(({ kind }) => kind)])
  const since = { ...stored?.since }
  let changes = stored?.changes ?? []
  let written: number | undefined
  for (const { before, after, ...place } of comparisons) {
    const isKnown = known.has(place.kind)
    if (!isKnown && before === undefined) since[place.kind] = now
    if (before === undefined && (!isKnown || place.kind === 'software')) {
      // Other changes of this place may begin with the same names as one of before.
      changes = changes.map(change => (isAt(change, place) ? { ...change, from: '' } : change))
      continue
    }
    const change = { ...place, ...difference(before ?? [], after), from: fingerprint(before ?? []) }
    if (change.added.length + change.removed.length === 0) continue
    const last = changes.findLast(each => isAt(each, place))
    const unstored = last?.from === change.from ? last : undefined
    if (unstored && isDeepStrictEqual({ ...unstored, time: 0 }, { ...change, time: 0 })) continue
    const others = changes.filter(each => each !== unstored)
    const time = Math.max(now, (others.at(-1)?.time ?? 0) + 1)
    changes = [...others, { ...change, time }]
    written ??= time
  }
  if (isDeepStrictEqual([since, changes], [stored?.since ?? {}, stored?.changes ?? []])) return undefined
  return { addr, since, changes: cut(changes), ...(written !== undefined && { written }) }
}

const isAt = (change: Place, { kind, disk, partition }: Place): boolean =>
  change.kind === kind && change.disk === disk && change.partition === partition

const fingerprint = (names: readonly string[]): string =>
  createHash('sha256')
    .update(JSON.stringify([...names].sort()))
    .digest('base64url')
    .slice(0, 12)

/** Of names that are there several times, as two equal memory modules are, each one counts. */
function difference(before: readonly string[], after: readonly string[]) {
  const [added, removed] = [without(after, before), without(before, after)]
  return {
    added: added.slice(0, longestList),
    removed: removed.slice(0, longestList),
    ...(added.length > longestList && { added_total: added.length }),
    ...(removed.length > longestList && { removed_total: removed.length }),
  }
}

function without(names: readonly string[], others: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const name of others) counts.set(name, (counts.get(name) ?? 0) + 1)
  return names.filter(name => {
    const count = counts.get(name) ?? 0
    counts.set(name, count - 1)
    return count <= 0
  })
}

/** The newest ones. */
function cut(changes: StoredChange[]): StoredChange[] {
  let names = 0
  const first = changes.findLastIndex(({ added, removed }) => {
    names += added.length + removed.length
    return names > mostNames
  })
  return changes.slice(first + 1)
}

export function historyEvents(value: string): FleetEvent[] {
  const { addr, changes, written = Number.POSITIVE_INFINITY }: InventoryHistory = JSON.parse(value)
  return changes
    .filter(({ time }) => time >= written)
    .map(({ time: _time, from: _from, kind, ...change }) => ({
      type: 'inventory-changed',
      addr,
      inventory: kind,
      ...change,
    }))
}

export const toInventoryChange = ({ time, from: _from, ...change }: StoredChange): InventoryChange => ({
  time: new Date(time).toISOString(),
  ...change,
})
