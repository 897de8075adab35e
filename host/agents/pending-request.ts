// The request that an agent is working on: its state, its timer and its outcome.
import { type AgentOutcome, type AgentRequest, failure, success } from './agent-request.ts'

/**
 * | state      | meaning                                                                                        |
 * |------------|------------------------------------------------------------------------------------------------|
 * | `sent`     | the agent has not replied                                                                      |
 * | `draining` | the agent never replies to this request; replies to earlier requests are still to come         |
 * | `accepted` | the agent has replied 202; another reply may follow                                            |
 * | `storing`  | the reply has come and `onReply` is running                                                    |
 * | `ended`    | final                                                                                          |
 *
 * | from                           | event                                                       | to         |
 * |--------------------------------|-------------------------------------------------------------|------------|
 * | `sent`                         | written, and `expectsReply` is false                        | `draining` |
 * | `sent`, `accepted`             | reply 202                                                   | `accepted` |
 * | `sent`, `accepted`             | final reply with a body, and the command has `onReply`      | `storing`  |
 * | `sent`, `accepted`             | any other final reply                                       | `ended`    |
 * | `draining`                     | no reply to an earlier request is missing                   | `ended`    |
 * | `storing`                      | `onReply` has finished                                      | `ended`    |
 * | `sent`, `draining`, `accepted` | the connection closed                                       | `ended`    |
 * | all but `ended`                | timeout, another request interrupts it, the daemon ends     | `ended`    |
 */
export type PendingState = 'sent' | 'draining' | 'accepted' | 'storing' | 'ended'

/** Milliseconds; a timer that fires later shows that the process was stopped or busy. */
const lateMilliseconds = 100

/** Milliseconds that a reply has at least to be stored: a store that is gone fails before. */
const storingMilliseconds = 5000

export class PendingRequest {
  readonly request: AgentRequest
  /** The number that the sender passed with the request. */
  readonly part: number
  /** What the script printed. */
  output: string | undefined
  /** Whether `onReply` has set the client's status. */
  statusReported = false
  #state: PendingState = 'sent'
  /** The outcome when nothing more is received. */
  #expectedOutcome: AgentOutcome | undefined
  #timer: NodeJS.Timeout
  /** The end of the timer, by `performance.now()`. */
  #due: number
  readonly #onTimeout: (pending: PendingRequest) => void

  constructor(request: AgentRequest, part: number, onTimeout: (pending: PendingRequest) => void) {
    this.request = request
    this.part = part
    this.#onTimeout = onTimeout
    this.#due = performance.now() + request.deadline * 1000
    this.#timer = setTimeout(onTimeout, request.deadline * 1000, this)
  }

  get state(): PendingState {
    return this.#state
  }

  /** Whether the next reply of the agent may belong to this request. */
  get awaitsReply(): boolean {
    return this.#state === 'sent' || this.#state === 'accepted'
  }

  /** Whether the deadline has passed long ago: replies that came in time may not have been read. */
  get isLate(): boolean {
    return this.#state !== 'ended' && performance.now() - this.#due > lateMilliseconds
  }

  drain(): void {
    this.#state = 'draining'
    this.#expectedOutcome = success
  }

  /** Restarts the timer with `seconds`. */
  accept(seconds: number): void {
    clearTimeout(this.#timer)
    this.#due = performance.now() + seconds * 1000
    this.#timer = setTimeout(this.#onTimeout, seconds * 1000, this)
    this.#state = 'accepted'
    this.#expectedOutcome = success
  }

  /** The reply has come in time: what it says has a time of its own to be stored. */
  store(): void {
    this.#state = 'storing'
    const due = performance.now() + storingMilliseconds
    if (this.#due >= due) return
    clearTimeout(this.#timer)
    this.#due = due
    this.#timer = setTimeout(this.#onTimeout, storingMilliseconds, this)
  }

  /** Stops the timer. Returns the outcome with what the script printed. */
  end(outcome: AgentOutcome): AgentOutcome {
    clearTimeout(this.#timer)
    this.#state = 'ended'
    return this.output === undefined ? outcome : { ...outcome, output: this.output }
  }

  /** The outcome when something other than a reply ends the request. */
  outcomeOr(reason: string): AgentOutcome {
    return this.#expectedOutcome ?? failure(reason)
  }

  outcomeOnClose(): AgentOutcome {
    return this.request.endsOnClose ? success : this.outcomeOr('connection lost')
  }

  outcomeOnTimeout(): AgentOutcome {
    if (this.#expectedOutcome) return this.#expectedOutcome
    const hasReplied = this.#state === 'storing'
    const reason = hasReplied ? 'reply not stored in time' : 'no answer in time'
    return { ...failure(reason, hasReplied), overdue: true }
  }
}
