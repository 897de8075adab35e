// Limits what each peer can cause: counts within a period, and items of which only some within a period are passed on.

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

interface Passed<Item> {
  passed: number
  omitted: number
  last: Item | undefined
}

/** Items by key, of which the first ones of a period are passed on, and the others counted. Its owner ends the periods. */
export class Throttle<Item> {
  #keys = new Map<string, Passed<Item>>()

  get isEmpty(): boolean {
    return this.#keys.size === 0
  }

  has(key: string): boolean {
    return this.#keys.has(key)
  }

  /** Whether the item is one of the first `most` of its key in this period. */
  admits(key: string, item: Item, most: number): boolean {
    const count = this.#keys.get(key) ?? { passed: 0, omitted: 0, last: undefined }
    this.#keys.set(key, count)
    if (count.passed < most) {
      count.passed += 1
      return true
    }
    count.omitted += 1
    count.last = item
    return false
  }

  /** Begins a new period; returns the last of the omitted items of each key, and how many there were. */
  end(): { key: string; last: Item; omitted: number }[] {
    const keys = this.#keys
    this.#keys = new Map()
    return [...keys].flatMap(([key, { last, omitted }]) => (last === undefined ? [] : [{ key, last, omitted }]))
  }
}

/**
 * Events of one kind from one peer, of which some per second are passed on, and of those beyond them only the newest. Every
 * agent has two, of 140 bytes each.
 */
export class ThrottledEvents<Event> {
  readonly #perSecond: number
  readonly #onEvent: (event: Event) => void
  /** How many are still passed on in this second. */
  #remaining: number
  #second: NodeJS.Timeout | undefined
  #waiting: Event | undefined

  constructor(perSecond: number, onEvent: (event: Event) => void) {
    this.#perSecond = perSecond
    this.#onEvent = onEvent
    this.#remaining = perSecond
  }

  add(event: Event): void {
    if (this.#remaining === 0) {
      this.#waiting = event
      return
    }
    this.#remaining -= 1
    this.#second ??= setTimeout(() => this.#endSecond(), 1000).unref()
    this.#onEvent(event)
  }

  /** Passes on what waits; to be called when the connection has closed. */
  close(): void {
    clearTimeout(this.#second)
    this.#endSecond()
    clearTimeout(this.#second)
  }

  #endSecond(): void {
    this.#second = undefined
    this.#remaining = this.#perSecond
    const event = this.#waiting
    this.#waiting = undefined
    if (event !== undefined) this.add(event)
  }
}
