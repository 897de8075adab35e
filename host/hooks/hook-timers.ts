// When hooks with `every` and `cron` run next, with one timer for all.
import type { LoadedHook } from '../contract/loaded-module.ts'
import type { Clock } from '../system/clock.ts'

/** Timers do not notice that the clock is set, or that the machine was suspended: a run may be so much late. */
const recheckMilliseconds = 60_000

interface Due {
  time: number
  run: () => void
}

export class HookTimers {
  readonly #clock: Clock
  readonly #due = new Map<string, Due>()
  #timer: { time: number; cancel: () => void } | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Calls `run` once at that time, in milliseconds since 1970, unless another time is set for the same key. */
  set(key: string, time: number, run: () => void): void {
    this.#due.set(key, { time, run })
    this.#start()
  }

  delete(key: string): void {
    this.#due.delete(key)
    this.#start()
  }

  #start(): void {
    const next = Math.min(...Array.from(this.#due.values(), ({ time }) => time))
    if (this.#timer?.time === next) return
    this.#timer?.cancel()
    this.#timer = undefined
    if (next === Number.POSITIVE_INFINITY) return
    const wait = Math.min(Math.max(0, next - this.#clock.now()), recheckMilliseconds)
    this.#timer = { time: next, cancel: this.#clock.after(wait, () => this.#runDue()) }
  }

  #runDue(): void {
    this.#timer = undefined
    const now = this.#clock.now()
    for (const [key, { time, run }] of [...this.#due]) {
      if (time > now) continue
      this.#due.delete(key)
      run()
    }
    this.#start()
  }
}

export const isTimer = ({ interval, nextTime }: LoadedHook): boolean => interval !== undefined || nextTime !== undefined

/** When a hook runs next; `due`: when it was to run. A run by hand, or one that is repeated, moves nothing. */
export function nextRun({ interval, nextTime }: LoadedHook, now: number, due?: number): number | undefined {
  if (interval === undefined) return nextTime?.(now)
  if (due !== undefined && due > now) return due
  // In step with the times before, unless these are too long ago.
  return due !== undefined && due + interval > now ? due + interval : now + interval
}

/** The same after a start or a change of the file: a time that has passed stays, for the run that was missed. */
export function resumedRun(loaded: LoadedHook, now: number, due: number | undefined): number | undefined {
  if (due !== undefined && due <= now) return due
  const next = nextRun(loaded, now)
  return due === undefined || next === undefined || loaded.interval === undefined ? next : Math.min(due, next)
}
