// Shares the few passwords that are checked at one time among those who log in: nobody can take all of them.
import { FairQueue } from '../system/fair-queue.ts'

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
  /** Those who wait, by lane: an address, a user. */
  readonly #waiting: Record<SlotKind, FairQueue<Start>> = {
    known: new FairQueue(),
    new: new FairQueue(),
    failed: new FairQueue(),
  }
  /** The kind in front is served next. */
  readonly #kinds: SlotKind[] = ['known', 'new', 'failed']
  #lastMilliseconds = 0

  isFull(kind: SlotKind): boolean {
    return this.#waiting[kind].size >= maxWaiting
  }

  /** What the last check took, with its wait. */
  get lastMilliseconds(): number {
    return this.#lastMilliseconds
  }

  /** The lanes of a kind are served in turns. */
  async run<Result>(kind: SlotKind, lane: string, work: () => Promise<Result>): Promise<Result> {
    const began = performance.now()
    if (this.#running < maxRunning) this.#running += 1
    else await new Promise<void>(resolve => this.#waiting[kind].push(lane, resolve))
    try {
      return await work()
    } finally {
      this.#lastMilliseconds = performance.now() - began
      this.#release()
    }
  }

  /** Passes the slot on, so that nobody overtakes. */
  #release(): void {
    const kind = this.#kinds.find(each => !this.#waiting[each].isEmpty)
    if (kind === undefined) {
      this.#running -= 1
      return
    }
    this.#kinds.splice(this.#kinds.indexOf(kind), 1)
    this.#kinds.push(kind)
    this.#waiting[kind].shift()?.()
  }
}
