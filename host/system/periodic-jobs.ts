// Calls what is to be done every few seconds in one tick: an idle daemon wakes once a second, and not once for each job.

const tickMilliseconds = 1000

interface PeriodicJob {
  seconds: number
  run: () => void
}

const jobs = new Set<PeriodicJob>()
let timer: NodeJS.Timeout | undefined
let ticks = 0

/**
 * Calls `run` every `seconds`, until the returned function is called. Only whole seconds share the tick. Does not keep
 * the process running.
 */
export function everySeconds(seconds: number, run: () => void): () => void {
  if (!Number.isInteger(seconds)) {
    const own = setInterval(run, seconds * 1000).unref()
    return () => clearInterval(own)
  }
  const job = { seconds, run }
  jobs.add(job)
  timer ??= setInterval(tick, tickMilliseconds).unref()
  return () => {
    jobs.delete(job)
    if (jobs.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick(): void {
  ticks += 1
  for (const { seconds, run } of jobs) {
    if (ticks % seconds === 0) runAlone(run)
  }
}

/** An error is an uncaught exception, as in a timer of its own, and does not keep the other jobs from running. */
function runAlone(run: () => void): void {
  try {
    run()
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
