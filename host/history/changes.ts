// The changes of computers in a day, and how they are stored.
import { groupBy } from '../../stores/rules/group-by.ts'
import { isSame, type Look, states } from './conditions.ts'
import { compress, expand } from './history-documents.ts'

/** `time`: milliseconds since 1970. */
export interface Change extends Look {
  time: number
}

/** `id`: of the computer. */
export type ComputerChange = Change & { id: number }

/** Seconds since the change before, twice the number of the state and 1 for somebody who is logged in, and who. */
type StoredChange = [seconds: number, look: number, user?: string]

/** By the id of the computer. */
type StoredDay = Record<string, StoredChange[]>

const second = 1000

/** A look that lasts less is none: an agent that connects says a moment later what it runs, and a connection may break. */
const shortest = 10_000

export const startOfDay = (time: number): number => Date.parse(new Date(time).toISOString().slice(0, 10))

/** `time`: of the day. */
export function readChanges(value: string | undefined, id: number, time: number): Change[] {
  const stored: StoredDay = value === undefined ? {} : expand(JSON.parse(value))
  return toChanges(stored[id] ?? [], startOfDay(time))
}

export function addChanges(value: string | undefined, changes: readonly ComputerChange[]): string {
  const stored: StoredDay = value === undefined ? {} : expand(JSON.parse(value))
  for (const [id, added] of groupBy(changes, each => each.id)) {
    const start = startOfDay(added[0]?.time ?? 0)
    const all = [...toChanges(stored[id] ?? [], start), ...added].sort((one, other) => one.time - other.time)
    stored[id] = toStored(withoutShort(all), start)
  }
  return JSON.stringify(compress(stored))
}

const withoutShort = (changes: readonly Change[]): Change[] =>
  changes.filter(({ time }, at) => (changes[at + 1]?.time ?? Number.POSITIVE_INFINITY) - time >= shortest)

function toChanges(stored: readonly StoredChange[], start: number): Change[] {
  let time = start
  return stored.map(([seconds, look, user]) => {
    time += seconds * second
    return { time, state: states[look >> 1] ?? 'off', inUse: look % 2 === 1, user }
  })
}

function toStored(changes: readonly Change[], start: number): StoredChange[] {
  let before = 0
  return changes.map(({ time, state, inUse, user }): StoredChange => {
    const seconds = Math.floor((time - start) / second)
    const look = states.indexOf(state) * 2 + (inUse ? 1 : 0)
    const delta = seconds - before
    before = seconds
    return user === undefined ? [delta, look] : [delta, look, user]
  })
}

/** Without those that say what the one before says, unless a gap has ended between them. */
export function withoutRepeats(changes: readonly Change[], gapEnds: readonly number[]): Change[] {
  return changes.filter((change, at) => {
    const before = changes[at - 1]
    if (!before || !isSame(before, change)) return true
    return gapEnds.some(end => before.time < end && end <= change.time)
  })
}
