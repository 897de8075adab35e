// Preloaded into the measured daemon: reports event-loop delays, heap size and CPU profiles on request.
import { writeFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { serveParent } from './child-process.ts'

/** Microseconds between two samples of a profile. */
const interval = 200

const delays = monitorEventLoopDelay({ resolution: 1 })
const session = new Session()

export type Instrumentation = typeof calls
const calls = serveParent({
  watch() {
    delays.reset()
    delays.enable()
  },
  /** Milliseconds; 1 without a delay. */
  delays() {
    delays.disable()
    return { longest: delays.max / 1e6, p99: delays.percentile(99) / 1e6 }
  },
  /** Returns the bytes in use after a garbage collection. */
  heap() {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    // The second collection frees objects that the first one finalizes.
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
