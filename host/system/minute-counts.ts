// Counts what each peer does within a minute, for limits that are per minute.

const minute = 60_000 // ms
/** Most keys; of more than that the oldest are forgotten. About 15 MB. */
const defaultMaxKeys = 100_000

interface Count {
  /** When its minute began. */
  since: number
  count: number
}

export class MinuteCounts {
  /** By key, in the order in which their minutes began. */
  readonly #counts = new Map<string, Count>()
  readonly #now: () => number
  readonly #maxKeys: number

  /** `now`: the time in milliseconds; tests set it. */
  constructor({ now = () => performance.now(), maxKeys = defaultMaxKeys } = {}) {
    this.#now = now
    this.#maxKeys = maxKeys
  }

  /** Adds 1 to the count of a key and returns it. The minute of a key begins with its first 1 after its last minute. */
  add(key: string): number {
    this.#dropEnded()
    const entry = this.#counts.get(key)
    if (entry) {
      entry.count += 1
      return entry.count
    }
    if (this.#counts.size >= this.#maxKeys) this.#dropOldest()
    this.#counts.set(key, { since: this.#now(), count: 1 })
    return 1
  }

  count(key: string): number {
    this.#dropEnded()
    return this.#counts.get(key)?.count ?? 0
  }

  #dropEnded(): void {
    const end = this.#now() - minute
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
