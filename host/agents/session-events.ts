// Logins and logouts of one agent: a limited number per second is passed on; of those beyond it only the newest is.
import type { SessionEvent } from './reply-body.ts'

/** More than people cause on one computer. */
const eventsPerSecond = 5

export class SessionEvents {
  /** `isRepeated`: it equals the one that was passed on before it. */
  readonly #onEvent: (event: SessionEvent, isRepeated: boolean) => void
  /** How many are still passed on in this second. */
  #remaining = eventsPerSecond
  #second: NodeJS.Timeout | undefined
  #waiting: SessionEvent | undefined
  #previous: SessionEvent | undefined

  constructor(onEvent: (event: SessionEvent, isRepeated: boolean) => void) {
    this.#onEvent = onEvent
  }

  add(event: SessionEvent): void {
    if (this.#remaining === 0) {
      this.#waiting = event
      return
    }
    this.#remaining -= 1
    this.#second ??= setTimeout(() => this.#endSecond(), 1000).unref()
    const { action, user } = this.#previous ?? {}
    this.#previous = event
    this.#onEvent(event, event.action === action && event.user === user)
  }

  /** Passes on what waits; to be called when the connection has closed. */
  close(): void {
    clearTimeout(this.#second)
    this.#endSecond()
    clearTimeout(this.#second)
  }

  #endSecond(): void {
    this.#second = undefined
    this.#remaining = eventsPerSecond
    const event = this.#waiting
    this.#waiting = undefined
    if (event) this.add(event)
  }
}
