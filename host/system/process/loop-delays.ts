// Measures for how long the event loop is busy without a pause, and wakes no idle process for it.
import { createHistogram, performance } from 'node:perf_hooks'
import { Gauge, type Registry } from 'prom-client'

/** Of all turns of the event loop that end within these milliseconds, the longest counts: many short ones hide none. */
const windowMilliseconds = 10

const nanosecondsPerMillisecond = 1e6
const nanosecondsPerSecond = 1e9

/** What the metrics tell of the delays, in the names of prom-client. */
const statistics = {
  min: 'The minimum recorded event loop delay.',
  max: 'The maximum recorded event loop delay.',
  mean: 'The mean of the recorded event loop delays.',
  stddev: 'The standard deviation of the recorded event loop delays.',
  p50: 'The 50th percentile of the recorded event loop delays.',
  p90: 'The 90th percentile of the recorded event loop delays.',
  p99: 'The 99th percentile of the recorded event loop delays.',
}

/** Seconds. */
export type DelayStatistics = Record<keyof typeof statistics, number>

export class LoopDelays {
  readonly #histogram = createHistogram()
  #active = performance.eventLoopUtilization().active
  #longest = 0
  #windowEnd = 0
  /** An immediate without a reference runs at the end of each tick of the event loop, and causes none. */
  #immediate: NodeJS.Immediate

  constructor() {
    this.#immediate = setImmediate(this.#endTick).unref()
  }

  readonly #endTick = (): void => {
    const { active } = performance.eventLoopUtilization()
    this.#longest = Math.max(this.#longest, active - this.#active)
    this.#active = active
    const now = performance.now()
    if (now >= this.#windowEnd) {
      this.#windowEnd = now + windowMilliseconds
      this.#record()
    }
    this.#immediate = setImmediate(this.#endTick).unref()
  }

  #record(): void {
    if (this.#longest > 0) this.#histogram.record(Math.ceil(this.#longest * nanosecondsPerMillisecond))
    this.#longest = 0
  }

  /** The delays since the last call; all 0 if there was none. */
  take(): DelayStatistics {
    this.#record()
    const { min, max, mean, stddev } = this.#histogram
    const [p50, p90, p99] = [50, 90, 99].map(share => this.#histogram.percentile(share))
    const isEmpty = this.#histogram.count === 0
    this.#histogram.reset()
    const seconds = (nanoseconds = 0) => (isEmpty ? 0 : nanoseconds / nanosecondsPerSecond)
    return {
      min: seconds(min),
      max: seconds(max),
      mean: seconds(mean),
      stddev: seconds(stddev),
      p50: seconds(p50),
      p90: seconds(p90),
      p99: seconds(p99),
    }
  }

  stop(): void {
    clearImmediate(this.#immediate)
  }
}

/** Replaces the metrics of prom-client's own monitor, which wakes the process every 10 ms. Returns what stops measuring. */
export function registerLoopDelays(register: Registry): () => void {
  const delays = new LoopDelays()
  const gauges = new Map<string, Gauge>()
  const collect = () => {
    for (const [key, value] of Object.entries(delays.take())) gauges.get(key)?.set(value)
  }
  for (const [key, help] of Object.entries(statistics)) {
    const name = `nodejs_eventloop_lag_${key}_seconds`
    register.removeSingleMetric(name)
    // All are read at once, with the first.
    const isFirst = gauges.size === 0
    gauges.set(key, new Gauge({ name, help, registers: [register], ...(isFirst && { collect }) }))
  }
  return () => delays.stop()
}
