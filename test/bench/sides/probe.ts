// Loaded into the daemon's process: its event loop's delays, its heap, its profile. Costs nothing until it is asked.
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { serve } from './child.ts'

/** Microseconds between two samples of a profile. */
const interval = 200

const delays = monitorEventLoopDelay({ resolution: 1 })
const session = new Session()

export type Probe = typeof calls
const calls = serve({
  watch() {
    delays.reset()
    delays.enable()
  },
  /** Milliseconds; a turn that is not held up takes 1. */
  delays() {
    delays.disable()
    return { longest: delays.max / 1e6, p99: delays.percentile(99) / 1e6 }
  },
  /** Bytes that are in use after a collection. */
  heap() {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    // What a first collection finalizes is freed by the second one.
    collect()
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  },
  async profile() {
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval })
    await session.post('Profiler.start')
  },
  async save(file: string) {
    const { profile } = await session.post('Profiler.stop')
    session.disconnect()
    writeFileSync(file, JSON.stringify(profile))
  },
})
