// The client that a command's `onReply` gets: sets status, speed and output of one client for one request.
import type { Client } from '../contract/services.ts'
import type { Log } from '../log/log.ts'
import { cutText } from '../system/cut-text.ts'
import type { ClientState } from './client-state.ts'
import type { PendingRequest } from './pending-request.ts'
import type { ScriptOutput } from './script-outputs.ts'

/** The agent that has replied. */
export interface RepliedAgent {
  readonly addr: string
  readonly state: ClientState
  /** What its last script printed. */
  readonly output: ScriptOutput
}

export interface ReplyClientContext {
  /** The log for lines of one kind about one agent; it limits them. */
  logOf(addr: string, kind: string): Log
}

/** Its functions are getters, so that commands may destructure it, and bound only when a command uses them. */
export class ReplyClient implements Client {
  readonly #agent: RepliedAgent
  readonly #pending: PendingRequest
  readonly #context: ReplyClientContext

  constructor(agent: RepliedAgent, pending: PendingRequest, context: ReplyClientContext) {
    this.#agent = agent
    this.#pending = pending
    this.#context = context
  }

  get addr(): string {
    return this.#agent.addr
  }

  get setStatus(): Client['setStatus'] {
    return word => {
      this.#pending.statusReported = true
      const isKnown = this.#agent.state.status.report(word)
      if (!isKnown) this.#logUnknown(word)
    }
  }

  get setSpeed(): Client['setSpeed'] {
    return mbit => this.#agent.state.setSpeed(mbit)
  }

  get setOutput(): Client['setOutput'] {
    return text => this.#pending.setOutput(this.#agent.output.set(text))
  }

  #logUnknown(word: string): void {
    const { addr } = this
    this.#context.logOf(addr, 'status').warn(`agent ${addr}`, `unknown status ${JSON.stringify(cutText(word, 40))}`)
  }
}
