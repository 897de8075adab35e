// Serves the requests of a tick for some milliseconds; those that are left wait for later ticks, the callers in turn.

import { FairQueue } from '../system/fair-queue.ts'
import { atEndOfTick } from '../system/time-slices.ts'

const windowMilliseconds = 20

/** Waiting requests that may begin in one tick. */
const mostPerTick = 64

export class RequestRotation {
  /** The beginnings of waiting requests. */
  readonly #waiting = new FairQueue<() => void>()
  #windowEnd = 0
  #isScheduled = false

  /** Undefined when a request of this caller may begin now, else a promise that resolves when it may. */
  enter(caller: string): Promise<void> | undefined {
    if (this.#waiting.isEmpty) {
      const now = performance.now()
      if (now < this.#windowEnd) return undefined
      if (!this.#isScheduled) return this.#open(now)
    }
    return new Promise(resolve => this.#waiting.push(caller, resolve))
  }

  #open(now: number): undefined {
    this.#windowEnd = now + windowMilliseconds
    this.#isScheduled = true
    atEndOfTick(this.#close)
  }

  readonly #close = (): void => {
    this.#windowEnd = 0
    this.#isScheduled = !this.#waiting.isEmpty
    if (!this.#isScheduled) return
    // Each in a callback of its own, after which the work of the one before has been done.
    for (let count = 0; count < mostPerTick; count += 1) setImmediate(() => this.#beginNext(count === 0))
    setImmediate(this.#close)
  }

  /** The first one of a tick begins in any case: the time before it was that of other work. */
  #beginNext(isFirst: boolean): void {
    const now = performance.now()
    if (isFirst) this.#windowEnd = now + windowMilliseconds
    if (now < this.#windowEnd) this.#waiting.shift()?.()
  }
}
