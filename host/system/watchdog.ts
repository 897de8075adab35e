// Starts a thread that reports when the daemon's event loop is blocked, and ends the process when it stays so.
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { LogOptions } from './log.ts'
import type { WatchOptions } from './watchdog-thread.ts'

/** Seconds without an event-loop tick after which the loop counts as blocked. */
const defaultBlockedSeconds = 5

/** So many ticks are in the shorter of both times: fewer could be missed while the machine is busy. */
const ticksPerLimit = 5

// A worker does not inherit the loader for TypeScript: it registers one first.
const threadSource = `
const { parentPort, workerData } = require('node:worker_threads')
import(workerData.loader).then(({ register }) => {
  register()
  return import(workerData.file)
}).then(({ watch }) => {
  watch(workerData.options)
  parentPort.postMessage('watching')
})
`

export interface WatchdogOptions {
  /** Seconds without an event-loop tick after which the process is ended. */
  hangSeconds: number
  blockedSeconds?: number
  log?: LogOptions
}

/** Resolves when the thread watches; it ends with the process. */
export async function startWatchdog(watchdogOptions: WatchdogOptions): Promise<void> {
  const { hangSeconds, blockedSeconds = defaultBlockedSeconds, log = {} } = watchdogOptions
  const tickSeconds = Math.min(blockedSeconds, hangSeconds) / ticksPerLimit
  // Incremented by the daemon's event loop, in memory that both threads share.
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const loader = import.meta.resolve('tsx/esm/api')
  const file = new URL('./watchdog-thread.ts', import.meta.url).href
  const options: WatchOptions = { beats, tickSeconds, blockedSeconds, hangSeconds, log }
  const thread = new Worker(threadSource, { eval: true, workerData: { loader, file, options } })
  thread.unref()
  setInterval(() => Atomics.add(beats, 0, 1), tickSeconds * 1000).unref()
  await once(thread, 'message')
}
