// Starts a thread that reports when the daemon's event loop is blocked, and ends the process when it stays so.

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { build } from 'esbuild'
import type { LogOptions } from '../../log/log.ts'
import { everySeconds } from '../periodic-jobs.ts'
import { withEsbuild } from './esbuild-process.ts'
import { progress } from './progress.ts'
import type { WatchOptions } from './watchdog-thread.ts'

/** Seconds without an event-loop tick after which the loop counts as blocked. */
const defaultBlockedSeconds = 5

/** So many ticks are in the shorter of both times: fewer could be missed while the machine is busy. */
const ticksPerLimit = 5

/** What the thread runs. */
const threadSource = `
import { parentPort, workerData } from 'node:worker_threads'
import { watch } from './watchdog-thread.ts'
watch(workerData)
parentPort?.postMessage('watching')
`

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

/** A worker does not inherit the loader for TypeScript, and one of its own would need a thread and a process more. */
async function bundleThread(): Promise<string> {
  const { outputFiles } = await withEsbuild(() =>
    build({
      stdin: { contents: threadSource, resolveDir: import.meta.dirname, loader: 'ts' },
      bundle: true,
      write: false,
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      logLevel: 'silent',
    }),
  )
  return outputFiles[0]?.text ?? ''
}
