// Rejects when a promise takes too long.
import { perTick } from './time-slices.ts'

/** Settles as `promise` does, or rejects with `message` after that many milliseconds; a later result is ignored. */
export function withTimeout<Result>(promise: Promise<Result>, milliseconds: number, message: string): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timeout = new Timeout(milliseconds, () => reject(new Error(message)))
    promise.then(
      result => {
        timeout.end()
        resolve(result)
      },
      error => {
        timeout.end()
        reject(error)
      },
    )
  })
}

/** Has a timer from the end of the tick on: most promises have settled by then, and a timer costs more than they do. */
class Timeout {
  readonly #milliseconds: number
  readonly #exceeded: () => void
  #hasEnded = false
  #timer: NodeJS.Timeout | undefined

  constructor(milliseconds: number, exceeded: () => void) {
    this.#milliseconds = milliseconds
    this.#exceeded = exceeded
    waiting.push(this)
    scheduleStart()
  }

  end(): void {
    this.#hasEnded = true
    clearTimeout(this.#timer)
  }

  start(): void {
    if (!this.#hasEnded) this.#timer = setTimeout(this.#exceeded, this.#milliseconds)
  }
}

let waiting: Timeout[] = []

const scheduleStart = perTick(() => {
  const started = waiting
  waiting = []
  for (const timeout of started) timeout.start()
})
