// The request that an agent is working on: its state, its deadline and its outcome.
import { message } from '../log/log.ts'
import {
  type AgentOutcome,
  type AgentRequest,
  failure,
  type RequestWatch,
  stillConnected,
  success,
} from './agent-request.ts'
import type { StoredOutput } from './script-outputs.ts'

/**
 * | state      | meaning                                                                                        |
 * |------------|------------------------------------------------------------------------------------------------|
 * | `sent`     | the agent has not replied                                                                      |
 * | `draining` | the agent never replies to this request; replies to earlier requests are still to come         |
 * | `accepted` | the agent has replied 202; another reply may follow                                            |
 * | `storing`  | the reply has come; it is judged by the request's watch, or `onReply` is running               |
 * | `ended`    | final                                                                                          |
 *
 * | from                           | event                                                       | to         |
 * |--------------------------------|-------------------------------------------------------------|------------|
 * | `sent`                         | written, and `expectsReply` is false                        | `draining` |
 * | `sent`, `accepted`             | reply 202                                                   | `accepted` |
 * | `sent`, `accepted`             | final reply, and the request has a watch                    | `storing`  |
 * | `sent`, `accepted`             | final reply with a body, and the command has `onReply`      | `storing`  |
 * | `sent`, `accepted`             | any other final reply                                       | `ended`    |
 * | `draining`                     | no reply to an earlier request is missing                   | `ended`    |
 * | `storing`                      | the watch and `onReply` have finished                       | `ended`    |
 * | `sent`, `draining`, `accepted` | the connection closed                                       | `ended`    |
 * | all but `ended`                | timeout, another request interrupts it, the daemon ends     | `ended`    |
 */
type PendingState = 'sent' | 'draining' | 'accepted' | 'storing' | 'ended'

export const isSuccess = (status: number): boolean => status >= 200 && status <= 299

/** Milliseconds; a deadline that is noticed later shows that the process was stopped or busy. */
const lateMilliseconds = 100

/** Milliseconds that a reply has at least to be stored: a store that is gone fails before. */
const storingMilliseconds = 5000

export class PendingRequest {
  readonly request: AgentRequest
  /** The number that the sender passed with the request. */
  readonly part: number
  readonly watch: RequestWatch | undefined
  /** What the watch makes of the reply. */
  verdict: Pick<AgentOutcome, 'result' | 'reason'> | undefined
  /** What the script printed. */
  output: StoredOutput | undefined
  /** Whether `onReply` has set the client's status. */
  statusReported = false
  #state: PendingState = 'sent'
  /** The outcome when nothing more is received. */
  #expectedOutcome: AgentOutcome | undefined
  readonly #onTimeout: (pending: PendingRequest) => void
  #timer: NodeJS.Timeout | undefined
  /** When the time is over, by `performance.now()`. */
  #due = 0

  constructor(request: AgentRequest, part: number, addr: string, onTimeout: (pending: PendingRequest) => void) {
    this.request = request
    this.watch = request.watch?.(addr)
    this.part = part
    this.#onTimeout = onTimeout
    this.#setDeadline(request.deadline * 1000)
  }

  #setDeadline(milliseconds: number): void {
    clearTimeout(this.#timer)
    this.#due = performance.now() + milliseconds
    this.#timer = setTimeout(this.#onTimeout, milliseconds, this)
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

  /** The deadline is in `seconds` now. */
  accept(seconds: number): void {
    this.#setDeadline(seconds * 1000)
    this.#state = 'accepted'
    this.#expectedOutcome = success
  }

  /** The reply has come in time: what it says has a time of its own to be stored. */
  store(): void {
    this.#state = 'storing'
    if (this.#due < performance.now() + storingMilliseconds) this.#setDeadline(storingMilliseconds)
  }

  /** Has the watch judge the reply that has come, and calls `onJudged` unless the request has ended meanwhile. */
  async judge(watch: RequestWatch, onJudged: () => void): Promise<void> {
    this.store()
    this.verdict = await watch
      .judge()
      .catch(error => ({ result: 'success', reason: `not confirmed: ${message(error)}` }) as const)
    if (this.#state !== 'ended') onJudged()
  }

  /** Whether `onReply` is to get this reply; it is undefined when it had no body. */
  isToStore(status: number, outcome: AgentOutcome, reply: unknown): boolean {
    const { onReply, forward } = this.request
    // After a 202 most commands get another reply.
    const isFinal = status === 202 ? forward.endsOn202 === true : isSuccess(status)
    if (reply === undefined || !onReply || !isFinal) return false
    return outcome.result === 'success' && this.verdict?.result !== 'failure'
  }

  /** Ends the deadline. Returns the outcome by the verdict, with what the script printed. */
  end(outcome: AgentOutcome): AgentOutcome {
    clearTimeout(this.#timer)
    this.#state = 'ended'
    this.watch?.end()
    const judged = this.verdict ? applyVerdict(this.verdict, outcome) : outcome
    if (this.output === undefined) return judged
    // Written out, as thousands succeed at once, and a spread has V8 make a new shape for each of them.
    if (judged === success) return { result: 'success', answered: true, output: this.output.text }
    return { ...judged, output: this.output.text }
  }

  /** The outcome when something other than a reply ends the request. */
  outcomeOr(reason: string): AgentOutcome {
    return this.#expectedOutcome ?? failure(reason)
  }

  outcomeOnClose(): AgentOutcome {
    return this.request.forward.endsOnClose ? success : this.outcomeOr('connection lost')
  }

  outcomeOnTimeout(): AgentOutcome {
    if (this.#expectedOutcome)
      return this.request.forward.endsOnClose
        ? { ...success, reason: `not confirmed: ${stillConnected}` }
        : this.#expectedOutcome
    const hasReplied = this.#state === 'storing'
    const reason = hasReplied ? 'reply not stored in time' : 'no answer in time'
    return { ...failure(reason, hasReplied), overdue: true }
  }
}

/** A failure of the reply itself is not mended by a verdict. */
function applyVerdict({ result, reason }: NonNullable<PendingRequest['verdict']>, outcome: AgentOutcome): AgentOutcome {
  if (result === 'success' && outcome.result === 'failure') return outcome
  return { ...outcome, result, reason }
}
