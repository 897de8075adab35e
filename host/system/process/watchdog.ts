// Starts a thread that reports when the daemon's event loop is blocked, and ends the process when it stays so.

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { LogOptions } from '../../log/log.ts'
import { everySeconds } from '../periodic-jobs.ts'
import { bundleThread } from './bundle-thread.ts'
import { progress } from './progress.ts'
import type { WatchOptions } from './watchdog-thread.ts'

/** Seconds without an event-loop tick after which the loop counts as blocked. */
const defaultBlockedSeconds = 5

/** So many ticks are in the shorter of both times: fewer could be missed while the machine is busy. */
const ticksPerLimit = 5

export interface WatchdogOptions {
  /** Seconds without an event-loop tick, and without a request that begins or ends, after which the process is ended. */
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
  const options: WatchOptions = { beats, progress, tickSeconds, blockedSeconds, hangSeconds, log }
  const thread = new Worker(await bundleThread(), { eval: true, execArgv: [], workerData: options })
  thread.unref()
  everySeconds(tickSeconds, () => Atomics.add(beats, 0, 1))
  await once(thread, 'message')
}
