// Reads something slow once for all callers that ask while an earlier read runs.

/** A caller gets the result of a read that has begun after its call, so that it is never older than the call. */
export class CoalescedRead<Result> {
  readonly #read: () => Promise<Result>
  #running: Promise<Result> | undefined
  #next: Promise<Result> | undefined

  /** `read` may reject: then all callers of that read get the error, and the next call reads anew. */
  constructor(read: () => Promise<Result>) {
    this.#read = read
  }

  get(): Promise<Result> {
    if (!this.#running) return this.#start()
    const start = () => this.#start()
    this.#next ??= this.#running.then(start, start)
    return this.#next
  }

  #start(): Promise<Result> {
    this.#next = undefined
    const running = this.#read().finally(() => {
      if (this.#running === running) this.#running = undefined
    })
    this.#running = running
    return running
  }
}
