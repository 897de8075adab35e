// The client that a command's `onReply` gets: sets status, speed and output of one client for one request.
import type { Client } from '../services.ts'
import type { ClientState } from './client-state.ts'
import type { PendingRequest } from './pending-request.ts'
import type { ScriptOutputs } from './script-outputs.ts'

export interface ReplyClientContext {
  /** Stores what a script printed. */
  setOutput: ScriptOutputs['set']
  /** The agent has reported a status word that is not in the specification. */
  onUnknownStatus(addr: string, word: string): void
}

/** Its functions are getters, so that commands may destructure it, and bound only when a command uses them. */
export class ReplyClient implements Client {
  readonly addr: string
  readonly #state: ClientState
  readonly #pending: PendingRequest
  readonly #context: ReplyClientContext

  constructor(addr: string, state: ClientState, pending: PendingRequest, context: ReplyClientContext) {
    this.addr = addr
    this.#state = state
    this.#pending = pending
    this.#context = context
  }

  get setStatus(): Client['setStatus'] {
    return word => {
      this.#pending.statusReported = true
      const isKnown = this.#state.status.report(word)
      if (!isKnown) this.#context.onUnknownStatus(this.addr, word)
    }
  }

  get setSpeed(): Client['setSpeed'] {
    return mbit => this.#state.setSpeed(mbit)
  }

  get setOutput(): Client['setOutput'] {
    return text => {
      this.#pending.setOutput(this.#context.setOutput(this.addr, text))
    }
  }
}
