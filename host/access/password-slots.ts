// Shares the few passwords that are checked at one time among those who log in: nobody can take all of them.

/**
 * Who waits, each with a third of the checks: those whose browser has logged in before, those from addresses that have not
 * failed in the last minute, and all others.
 */
export type SlotKind = 'known' | 'new' | 'failed'

/** Checks at one time: each takes memory, and one of the four threads that files need, too. */
const maxRunning = 2
/** Checks of each kind that wait; more logins are refused. About 15 s when all wait. */
const maxWaiting = 50

type Start = () => void

export class PasswordSlots {
  #running = 0
  /** Those who wait, by lane: an address, a user. The first entry of each map has its turn next. */
  readonly #waiting: Record<SlotKind, Map<string, Start[]>> = { known: new Map(), new: new Map(), failed: new Map() }
  /** The kind in front is served next. */
  readonly #kinds: SlotKind[] = ['known', 'new', 'failed']
  #lastMilliseconds = 0

  isFull(kind: SlotKind): boolean {
    const lanes = [...this.#waiting[kind].values()]
    return lanes.reduce((sum, lane) => sum + lane.length, 0) >= maxWaiting
  }

  /** What the last check took, with its wait. */
  get lastMilliseconds(): number {
    return this.#lastMilliseconds
  }

  /** The lanes of a kind are served in turns. */
  async run<Result>(kind: SlotKind, lane: string, work: () => Promise<Result>): Promise<Result> {
    const began = performance.now()
    if (this.#running < maxRunning) this.#running += 1
    else await new Promise<void>(resolve => this.#wait(kind, lane, resolve))
    try {
      return await work()
    } finally {
      this.#lastMilliseconds = performance.now() - began
      this.#release()
    }
  }

  #wait(kind: SlotKind, lane: string, start: Start): void {
    const lanes = this.#waiting[kind]
    const starts = lanes.get(lane)
    if (starts) starts.push(start)
    else lanes.set(lane, [start])
  }

  /** Passes the slot on, so that nobody overtakes. */
  #release(): void {
    const start = this.#next()
    if (start) start()
    else this.#running -= 1
  }

  #next(): Start | undefined {
    const kind = this.#kinds.find(each => this.#waiting[each].size > 0)
    if (kind === undefined) return undefined
    this.#kinds.splice(this.#kinds.indexOf(kind), 1)
    this.#kinds.push(kind)
    const lanes = this.#waiting[kind]
    const [lane = '', starts = []] = [...lanes][0] ?? []
    const start = starts.shift()
    lanes.delete(lane)
    if (starts.length > 0) lanes.set(lane, starts)
    return start
  }
}
