// Ends esbuild's process after the last bundle: while it runs, it wakes the daemon every second to see whether it lives.
import { type BuildFailure, stop, transform } from 'esbuild'

/** Milliseconds without a bundle; somebody who saves a file again and again does not wait for a new process each time. */
const idleMilliseconds = 5000

let running = 0
/** There is a process, or a build starts one. */
let isStarted = false
let timer: NodeJS.Timeout | undefined

/**
 * Runs a build of esbuild, which starts its process by itself, also when it was killed, for example by the kernel. `idle`:
 * after so many milliseconds without a build the process ends.
 */
export async function withEsbuild<Result>(run: () => Promise<Result>, idle = idleMilliseconds): Promise<Result> {
  clearTimeout(timer)
  running += 1
  isStarted = true
  try {
    return await withRestart(run)
  } finally {
    running -= 1
    // Only without a build that runs: its process would end under it.
    if (running === 0) timer = setTimeout(end, idle).unref()
  }
}

/** Starts the process for a build that is about to come, unless there is one. */
export function prepareEsbuild(): void {
  // The build itself reports what is wrong.
  if (!isStarted) withEsbuild(() => transform('')).catch(() => {})
}

function end(): void {
  isStarted = false
  void stop()
}

async function withRestart<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (isBuildFailure(error)) throw error
    await stop()
    return run()
  }
}

export const isBuildFailure = (error: unknown): error is BuildFailure =>
  error instanceof Error && 'errors' in error && Array.isArray(error.errors) && error.errors.length > 0
