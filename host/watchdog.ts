// Has another thread watch the daemon's own, which it cannot do itself once code in it never returns.
import { Worker } from 'node:worker_threads'

/** Seconds for which the daemon's thread may do nothing else before the log is told. */
const patienceSeconds = 5

// A thread does not take over the loader that understands TypeScript: it registers one first.
const start = `
const { workerData } = require('node:worker_threads')
import(workerData.loader).then(({ register }) => {
  register()
  return import(workerData.file)
}).then(({ watch }) => watch(workerData.beats, workerData.seconds))
`

/** Starts the watch, which ends with the process. */
export function startWatchdog(seconds = patienceSeconds): void {
  // Counts turns of the daemon's event loop, in memory that both threads see.
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const loader = import.meta.resolve('tsx/esm/api')
  const file = new URL('./watchdog-thread.ts', import.meta.url).href
  new Worker(start, { eval: true, workerData: { loader, file, beats, seconds } }).unref()
  setInterval(() => Atomics.add(beats, 0, 1), (seconds * 1000) / 5).unref()
}
