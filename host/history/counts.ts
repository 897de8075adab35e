// The counts of rooms in an hour, every five minutes, and how they are stored: a count only where it differs.
import { compress, expand, hour, tick } from './history-documents.ts'

/** Computers in each condition, and those that have failed, in the order of `countKeys`. */
export type Counts = readonly number[]

/** By room. */
export type RoomCounts = ReadonlyMap<number, Counts>

export interface Counted {
  rooms: RoomCounts
  /** See `Hour`. */
  isFirst: boolean
}

export interface Hour {
  /** A bit for each of its counts that were made: without it nothing is known of that time. */
  observed: number
  /** A bit for each of them before which nothing is known of what has changed: after a start, or of another host. */
  first: number
  /** By room the counts of all ticks; of those that were not observed they mean nothing. */
  rooms: Map<number, Counts[]>
}

export const countLength = 6
export const ticksOfHour = hour / tick
const none: Counts = new Array(countLength).fill(0)

/** Which count of its hour. */
export const tickOf = (time: number): number => Math.floor(time / tick) % ticksOfHour

export const hasBit = (bits: number, at: number): boolean => ((bits >> at) & 1) === 1

/** Without its counts. */
export const readBits = (value: string): Omit<Hour, 'rooms'> => JSON.parse(value)

export function readHour(value: string | undefined): Hour {
  if (value === undefined) return { observed: 0, first: 0, rooms: new Map() }
  const { rooms, ...bits }: Omit<Hour, 'rooms'> & { rooms: string } = JSON.parse(value)
  const runs: Record<string, number[]> = expand(rooms)
  return { ...bits, rooms: new Map(Object.entries(runs).map(([room, each]) => [Number(room), fillTicks(each)])) }
}

export function writeHour({ rooms, ...bits }: Hour): string {
  const runs = Array.from(rooms, ([room, counts]) => [room, findRuns(counts, bits.observed)])
  return JSON.stringify({ ...bits, rooms: compress(Object.fromEntries(runs)) })
}

/** Also rooms that are gone, or were not there before. A count that was made already, maybe by another host, stays. */
export function addCounts(value: Hour, at: number, { rooms, isFirst }: Counted): void {
  if (hasBit(value.observed, at)) return
  value.observed |= 1 << at
  if (isFirst) value.first |= 1 << at
  for (const room of rooms.keys()) if (!value.rooms.has(room)) value.rooms.set(room, new Array(ticksOfHour).fill(none))
  for (const [room, counts] of value.rooms) counts[at] = rooms.get(room) ?? none
}

export const areSame = (one: RoomCounts, other: RoomCounts): boolean =>
  one.size === other.size && [...one].every(([room, counts]) => areEqual(counts, other.get(room) ?? none))

const areEqual = (one: Counts, other: Counts) => one.every((count, at) => count === other[at])

/** Of each run the tick at which it begins, and its counts. */
function findRuns(counts: readonly Counts[], observed: number): number[] {
  let last = none
  return counts.flatMap((each, at) => {
    if (!hasBit(observed, at) || areEqual(each, last)) return []
    last = each
    return [at, ...each]
  })
}

function fillTicks(runs: readonly number[]): Counts[] {
  const counts: Counts[] = new Array(ticksOfHour).fill(none)
  for (let at = 0; at < runs.length; at += 1 + countLength)
    counts.fill(runs.slice(at + 1, at + 1 + countLength), runs[at])
  return counts
}
