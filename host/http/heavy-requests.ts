// Limits how many heavy requests are computed at once: a few of all callers and two of one; some wait, the rest is refused.
import { refuse } from '../contract/refusal.ts'
import type { Refusal } from '../contract/services.ts'

/** Of all callers: each keeps the data of its answer in memory, and may hold up the others for a time slice. */
const runningInAll = 4

const runningPerCaller = 2

/** More than the consoles of one user have open at a time. */
const waitingPerCaller = 20

/** For the header `Retry-After`: seconds. */
export const retryAfter = 1

const tooMany = `heavy requests: expected at most ${runningPerCaller} at a time and ${waitingPerCaller} waiting, got more; try again later`

const closed = refuse('the caller has closed the connection of a waiting request', 429)

interface Caller {
  running: number
  /** Each begins a request. */
  waiting: Set<() => void>
}

export class HeavyRequests {
  /** The callers with requests; the one that has waited longest for its turn is the first. */
  readonly #callers = new Map<string, Caller>()
  #running = 0

  /** Resolves when the request may begin, or to a refusal; `leave` is to be called when it has ended. */
  async enter(name: string, signal: AbortSignal): Promise<Refusal | undefined> {
    if (signal.aborted) return closed
    const caller = this.#callers.get(name) ?? { running: 0, waiting: new Set() }
    this.#callers.set(name, caller)
    if (this.#mayRun(caller)) return this.#begin(name, caller)
    if (caller.waiting.size >= waitingPerCaller) return refuse(tooMany, 429)
    const isClosed = await new Promise<boolean>(resolve => {
      const begin = () => resolve(false)
      const close = () => {
        resolve(caller.waiting.delete(begin))
        this.#forgetIdle(name, caller)
      }
      caller.waiting.add(begin)
      signal.addEventListener('abort', close, { once: true })
    })
    return isClosed ? closed : undefined
  }

  leave(name: string): void {
    const caller = this.#callers.get(name)
    if (!caller) return
    caller.running -= 1
    this.#running -= 1
    this.#forgetIdle(name, caller)
    const [nextName, next] = [...this.#callers].find(([, each]) => each.waiting.size > 0 && this.#mayRun(each)) ?? []
    const [begin] = next?.waiting ?? []
    if (nextName === undefined || !next || !begin) return
    next.waiting.delete(begin)
    this.#begin(nextName, next)
    begin()
  }

  /** Also called when the connection of an earlier request closes: the name may be that of a new entry by then. */
  #forgetIdle(name: string, caller: Caller): void {
    const isIdle = caller.running === 0 && caller.waiting.size === 0
    if (isIdle && this.#callers.get(name) === caller) this.#callers.delete(name)
  }

  #mayRun({ running }: Caller): boolean {
    return this.#running < runningInAll && running < runningPerCaller
  }

  #begin(name: string, caller: Caller): undefined {
    caller.running += 1
    this.#running += 1
    // Behind the callers whose turn it is next.
    this.#callers.delete(name)
    this.#callers.set(name, caller)
  }
}
