// The clock of schedules, jobs and the queue: the system's, or one that a test sets.

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Calls `run` once, after that many milliseconds or a little later. Returns the function that cancels the call. */
  after(milliseconds: number, run: () => void): () => void
}

/** Node's timers wait at most 2^31-1 ms and fire at once beyond that: a longer wait is divided into days. */
const dayMilliseconds = 86_400_000

export const systemClock: Clock = {
  now: Date.now,
  after(milliseconds, run) {
    let timer: NodeJS.Timeout
    const wait = (remaining: number) => {
      const delay = Math.min(remaining, dayMilliseconds)
      timer = setTimeout(() => (remaining > delay ? wait(remaining - delay) : run()), delay)
    }
    wait(Math.max(0, milliseconds))
    return () => clearTimeout(timer)
  },
}
