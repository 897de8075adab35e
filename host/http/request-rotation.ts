// Serves the requests of a tick for some milliseconds; those that are left wait for later ticks, the callers in turn.
import { atEndOfTick } from '../system/time-slices.ts'

const windowMilliseconds = 20

/** Waiting requests that may begin in one tick. */
const mostPerTick = 64

export class RequestRotation {
  /** The beginnings of waiting requests, by caller. The caller whose turn it is next is the first. */
  readonly #waiting = new Map<string, (() => void)[]>()
  #windowEnd = 0
  #isScheduled = false

  /** Undefined when a request of this caller may begin now, else a promise that resolves when it may. */
  enter(caller: string): Promise<void> | undefined {
    if (this.#waiting.size === 0) {
      const now = performance.now()
      if (now < this.#windowEnd) return undefined
      if (!this.#isScheduled) return this.#open(now)
    }
    return new Promise(resolve => {
      const own = this.#waiting.get(caller)
      if (own) own.push(resolve)
      else this.#waiting.set(caller, [resolve])
    })
  }

  #open(now: number): undefined {
    this.#windowEnd = now + windowMilliseconds
    this.#isScheduled = true
    atEndOfTick(this.#close)
  }

  readonly #close = (): void => {
    this.#windowEnd = 0
    this.#isScheduled = this.#waiting.size > 0
    if (!this.#isScheduled) return
    // Each in a callback of its own, after which the work of the one before has been done.
    for (let count = 0; count < mostPerTick; count += 1) setImmediate(() => this.#beginNext(count === 0))
    setImmediate(this.#close)
  }

  /** The first one of a tick begins in any case: the time before it was that of other work. */
  #beginNext(isFirst: boolean): void {
    const now = performance.now()
    if (isFirst) this.#windowEnd = now + windowMilliseconds
    const [next] = this.#waiting
    if (!next || now >= this.#windowEnd) return
    const [caller, own] = next
    const begin = own.shift()
    this.#waiting.delete(caller)
    if (own.length > 0) this.#waiting.set(caller, own)
    begin?.()
  }
}
