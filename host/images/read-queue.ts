// Limits how many logs are read at once; reads that decide about an outcome go first.

type Waiter = () => void

export class ReadQueue {
  readonly #limit: number
  #running = 0
  readonly #urgent: Waiter[] = []
  readonly #waiting: Waiter[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  async run<Result>(read: () => Promise<Result>, isUrgent: boolean): Promise<Result> {
    if (this.#running < this.#limit) this.#running += 1
    else await new Promise<void>(resolve => (isUrgent ? this.#urgent : this.#waiting).push(resolve))
    try {
      return await read()
    } finally {
      const next = this.#urgent.shift() ?? this.#waiting.shift()
      // The next one takes over the place of this one.
      if (next) next()
      else this.#running -= 1
    }
  }
}
