// Limits what each peer can cause: counts within a period, and throttles that pass on only the first of a period.
import type { Clock } from './clock.ts'

/** Most keys; of more than that the oldest are forgotten. About 15 MB. */
const defaultMaxKeys = 100_000

interface Count {
  /** When its period began. */
  since: number
  /** When it was counted last. */
  last: number
  count: number
}

/** Counts by key. The period of a key begins with its first 1 after its last period. */
export class Counts {
  /** In the order in which their periods began. */
  readonly #counts = new Map<string, Count>()
  readonly #milliseconds: number
  readonly #now: () => number
  readonly #maxKeys: number

  /** `now`: the time in milliseconds; tests set it. */
  constructor({ seconds = 60, now = () => performance.now(), maxKeys = defaultMaxKeys } = {}) {
    this.#milliseconds = seconds * 1000
    this.#now = now
    this.#maxKeys = maxKeys
  }

  /** Adds 1 to the count of a key and returns it. */
  add(key: string): number {
    this.#dropEnded()
    const now = this.#now()
    const entry = this.#counts.get(key)
    if (entry) {
      entry.count += 1
      entry.last = now
      return entry.count
    }
    if (this.#counts.size >= this.#maxKeys) this.#dropOldest()
    this.#counts.set(key, { since: now, last: now, count: 1 })
    return 1
  }

  /** Takes back one 1. */
  takeBack(key: string): void {
    const entry = this.#counts.get(key)
    if (entry) entry.count -= 1
  }

  count(key: string): number {
    this.#dropEnded()
    return this.#counts.get(key)?.count ?? 0
  }

  /** Milliseconds since the last 1 of a key, or the last `touch`. */
  idleTime(key: string): number {
    return this.#now() - (this.#counts.get(key)?.last ?? Number.NEGATIVE_INFINITY)
  }

  touch(key: string): void {
    const entry = this.#counts.get(key)
    if (entry) entry.last = this.#now()
  }

  delete(key: string): void {
    this.#counts.delete(key)
  }

  #dropEnded(): void {
    const end = this.#now() - this.#milliseconds
    for (const [key, { since }] of this.#counts) {
      if (since > end) return
      this.#counts.delete(key)
    }
  }

  #dropOldest(): void {
    const [oldest] = this.#counts.keys()
    if (oldest !== undefined) this.#counts.delete(oldest)
  }
}

/** What a throttle has not passed on of one key in a period. */
export interface Omitted<Item> {
  key: string
  count: number
  last: Item
}

export interface ThrottleDeps<Item> {
  milliseconds: number
  /** Called at the end of each period. */
  ended(omitted: Omitted<Item>[]): void
  /** Without it a timer that does not keep the process running. */
  after?: Clock['after']
}

/** Passes on the first items of each key in a period. A period begins with the first item after the last one. */
export class Throttle<Item> {
  readonly #deps: ThrottleDeps<Item>
  /** Of the current period. */
  #counts = new Map<string, { max: number; count: number; last: Item }>()
  #cancelEnd = () => {}

  constructor(deps: ThrottleDeps<Item>) {
    this.#deps = deps
  }

  has(key: string): boolean {
    return this.#counts.has(key)
  }

  /** Whether the item is one of the first `max` of its key. */
  passes(key: string, item: Item, max: number): boolean {
    const { milliseconds, after = afterUnref } = this.#deps
    if (this.#counts.size === 0) this.#cancelEnd = after(milliseconds, () => this.end())
    let count = this.#counts.get(key)
    if (!count) {
      count = { max, count: 0, last: item }
      this.#counts.set(key, count)
    }
    count.count += 1
    count.last = item
    return count.count <= max
  }

  /** Ends the period now. */
  end(): void {
    this.#cancelEnd()
    const counts = [...this.#counts].filter(([, { count, max }]) => count > max)
    this.#counts.clear()
    this.#deps.ended(counts.map(([key, { count, max, last }]) => ({ key, count: count - max, last })))
  }
}

const afterUnref: Clock['after'] = (milliseconds, run) => {
  const timer = setTimeout(run, milliseconds).unref()
  return () => clearTimeout(timer)
}

/** Events of one kind from one peer, of which some per second are passed on, and of those beyond them only the newest. */
export class LimitedEvents<Event> {
  readonly #perSecond: number
  readonly #onEvent: (event: Event) => void
  readonly #throttle = new Throttle<Event>({
    milliseconds: 1000,
    ended: ([omitted]) => omitted && this.add(omitted.last),
  })

  constructor(perSecond: number, onEvent: (event: Event) => void) {
    this.#perSecond = perSecond
    this.#onEvent = onEvent
  }

  add(event: Event): void {
    if (this.#throttle.passes('', event, this.#perSecond)) this.#onEvent(event)
  }

  /** Passes on what waits; to be called when the connection has closed. */
  close(): void {
    this.#throttle.end()
    // The event that has waited has begun another period.
    this.#throttle.end()
  }
}
