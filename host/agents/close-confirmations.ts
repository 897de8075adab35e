// Confirms requests that end by closing the connection, as a power off does: a reply is no proof that it has happened.
import { type AgentOutcome, type AgentRequest, stillConnected } from './agent-request.ts'

export class CloseConfirmations {
  readonly #seconds: number
  /** Each is called with the reason for which this program closes the connection, or without one. */
  readonly #waiting = new Set<(reason?: string) => void>()

  readonly #onStay: () => void

  /** `acceptedSeconds`: that the connection may take to close. `onStay` is called when it has not. */
  constructor({ acceptedSeconds }: { acceptedSeconds: number }, onStay: () => void) {
    this.#seconds = acceptedSeconds
    this.#onStay = onStay
  }

  /** Whether the connection has to close yet. */
  get isWaiting(): boolean {
    return this.#waiting.size > 0
  }

  /** The outcome; with `end` if the connection, which `isOpen`, has to close yet. */
  confirm({ forward }: AgentRequest, outcome: AgentOutcome, isOpen: boolean): AgentOutcome {
    const isUncertain = forward.endsOnClose && isOpen && outcome.result === 'success' && outcome.reason === undefined
    if (!isUncertain) return outcome
    const end = new Promise<AgentOutcome>(resolve => {
      const settle = (reason?: string) => {
        clearTimeout(timer)
        this.#waiting.delete(settle)
        resolve(reason === undefined ? outcome : { ...outcome, reason: `not confirmed: ${reason}` })
        if (reason === stillConnected && !this.isWaiting) this.#onStay()
      }
      const timer = setTimeout(settle, this.#seconds * 1000, stillConnected)
      this.#waiting.add(settle)
    })
    return { ...outcome, end }
  }

  /** The connection has closed, or this program closes it for a reason. */
  close(reason?: string): void {
    for (const settle of this.#waiting) settle(reason)
  }
}
