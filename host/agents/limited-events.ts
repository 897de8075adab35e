// Events of one kind from one agent: a limited number per second is passed on; of those beyond it only the newest is.

export class LimitedEvents<Event> {
  readonly #perSecond: number
  readonly #onEvent: (event: Event) => void
  /** How many are still passed on in this second. */
  #remaining: number
  #second: NodeJS.Timeout | undefined
  #waiting: Event | undefined

  constructor(perSecond: number, onEvent: (event: Event) => void) {
    this.#perSecond = perSecond
    this.#onEvent = onEvent
    this.#remaining = perSecond
  }

  add(event: Event): void {
    if (this.#remaining === 0) {
      this.#waiting = event
      return
    }
    this.#remaining -= 1
    this.#second ??= setTimeout(() => this.#endSecond(), 1000).unref()
    this.#onEvent(event)
  }

  /** Passes on what waits; to be called when the connection has closed. */
  close(): void {
    clearTimeout(this.#second)
    this.#endSecond()
    clearTimeout(this.#second)
  }

  #endSecond(): void {
    this.#second = undefined
    this.#remaining = this.#perSecond
    const event = this.#waiting
    this.#waiting = undefined
    if (event !== undefined) this.add(event)
  }
}
