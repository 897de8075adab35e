// Has another thread watch the daemon's own, which it cannot do itself once code in it never returns.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Seconds for which the daemon's thread may do nothing else before the log is told. */
const patienceSeconds = 5

// A thread does not take over the loader that understands TypeScript: it registers one first.
const start = `
const { parentPort, workerData } = require('node:worker_threads')
import(workerData.loader).then(({ register }) => {
  register()
  return import(workerData.file)
}).then(({ watch }) => {
  watch(workerData.beats, workerData.seconds)
  parentPort.postMessage('watching')
})
`

/** Starts the watch, which ends with the process; resolves when it is there. */
export async function startWatchdog(seconds = patienceSeconds): Promise<void> {
  // Counts turns of the daemon's event loop, in memory that both threads see.
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const loader = import.meta.resolve('tsx/esm/api')
  const file = new URL('./watchdog-thread.ts', import.meta.url).href
  const thread = new Worker(start, { eval: true, workerData: { loader, file, beats, seconds } })
  thread.unref()
  setInterval(() => Atomics.add(beats, 0, 1), (seconds * 1000) / 5).unref()
  await once(thread, 'message')
}
