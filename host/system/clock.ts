// Time as lasting work sees it: the system's, or that of a test.

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Runs once, that many milliseconds from now or later; gives back the way to call it off. */
  after(milliseconds: number, run: () => void): () => void
}

/** One timer of Node waits at most 2^31-1 ms; a longer one would fire at once. */
const dayMilliseconds = 86_400_000

export const systemClock: Clock = {
  now: Date.now,
  after(milliseconds, run) {
    let timer: NodeJS.Timeout
    const wait = (rest: number) => {
      const part = Math.min(rest, dayMilliseconds)
      timer = setTimeout(() => (rest > part ? wait(rest - part) : run()), part)
    }
    wait(Math.max(0, milliseconds))
    return () => clearTimeout(timer)
  },
}
