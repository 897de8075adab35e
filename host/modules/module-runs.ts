// Counts the runs of hooks and views, and how long the event loop was busy with them in the last hour.
import type { Metrics } from '../system/metrics.ts'

export interface RunCounts {
  runs: number
  failures: number
  /** Seconds since the start of the daemon. */
  seconds: number
}

/** Milliseconds of the last hour; undefined without runs. */
export interface RunTimes {
  mean: number
  longest: number
}

interface Minute {
  minute: number
  runs: number
  milliseconds: number
  longest: number
}

const minuteMilliseconds = 60_000
const shownMinutes = 60

/**
 * Returns the function that returns the milliseconds in which the event loop was busy since. Of a run it is the time of
 * its own code and of what else ran meanwhile: never less than its own.
 */
export function measureBusyTime(): () => number {
  const start = performance.eventLoopUtilization()
  const began = performance.now()
  return () => {
    const { idle } = performance.eventLoopUtilization(start)
    return Math.max(0, performance.now() - began - idle)
  }
}

export class ModuleRuns {
  readonly #counts = new Map<string, RunCounts>()
  readonly #minutes = new Map<string, Minute[]>()

  constructor(metrics: Pick<Metrics, 'addSource'>) {
    metrics.addSource('moduleRuns', () => this.#results())
    metrics.addSource('moduleSeconds', () => this.#seconds())
  }

  /** `now`: milliseconds since 1970. */
  add(module: string, result: 'success' | 'failure', milliseconds: number, now = Date.now()): void {
    const { runs = 0, failures = 0, seconds = 0 } = this.#counts.get(module) ?? {}
    this.#counts.set(module, {
      runs: runs + 1,
      failures: failures + (result === 'failure' ? 1 : 0),
      seconds: seconds + milliseconds / 1000,
    })
    const minute = Math.floor(now / minuteMilliseconds)
    const minutes = this.#recent(module, now)
    const last = minutes.at(-1)
    if (last?.minute === minute) {
      last.runs += 1
      last.milliseconds += milliseconds
      last.longest = Math.max(last.longest, milliseconds)
    } else minutes.push({ minute, runs: 1, milliseconds, longest: milliseconds })
    this.#minutes.set(module, minutes)
  }

  counts(module: string): RunCounts {
    return this.#counts.get(module) ?? { runs: 0, failures: 0, seconds: 0 }
  }

  times(module: string, now = Date.now()): RunTimes | undefined {
    const minutes = this.#recent(module, now)
    if (minutes.length === 0) return undefined
    const runs = minutes.reduce((sum, minute) => sum + minute.runs, 0)
    const milliseconds = minutes.reduce((sum, minute) => sum + minute.milliseconds, 0)
    return { mean: milliseconds / runs, longest: Math.max(...minutes.map(({ longest }) => longest)) }
  }

  *#results(): Iterable<readonly [readonly string[], number]> {
    for (const [module, { runs, failures }] of this.#counts) {
      yield [[module, 'success'], runs - failures]
      yield [[module, 'failure'], failures]
    }
  }

  *#seconds(): Iterable<readonly [readonly string[], number]> {
    for (const [module, { seconds }] of this.#counts) yield [[module], seconds]
  }

  #recent(module: string, now: number): Minute[] {
    const oldest = Math.floor(now / minuteMilliseconds) - shownMinutes
    return (this.#minutes.get(module) ?? []).filter(({ minute }) => minute > oldest)
  }
}
