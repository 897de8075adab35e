// Starts a thread that reports when the daemon's event loop is blocked.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Seconds without an event-loop tick after which the loop counts as blocked. */
const blockedSeconds = 5

// A worker does not inherit the loader for TypeScript: it registers one first.
const threadSource = `
const { parentPort, workerData } = require('node:worker_threads')
import(workerData.loader).then(({ register }) => {
  register()
  return import(workerData.file)
}).then(({ watch }) => {
  watch(workerData.beats, workerData.seconds)
  parentPort.postMessage('watching')
})
`

/** Resolves when the thread watches; it ends with the process. */
export async function startWatchdog(seconds = blockedSeconds): Promise<void> {
  // Incremented by the daemon's event loop, in memory that both threads share.
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const loader = import.meta.resolve('tsx/esm/api')
  const file = new URL('./watchdog-thread.ts', import.meta.url).href
  const thread = new Worker(threadSource, { eval: true, workerData: { loader, file, beats, seconds } })
  thread.unref()
  setInterval(() => Atomics.add(beats, 0, 1), (seconds * 1000) / 5).unref()
  await once(thread, 'message')
}
