// The request that an agent is working on: its state, its deadline and its outcome.
import { message } from '../log/log.ts'
import { type AgentOutcome, type AgentRequest, failure, type RequestWatch, success } from './agent-request.ts'
import { isFinalSuccess } from './connection/reply-body.ts'
import { Deadline, type Deadlines } from './deadlines.ts'

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
export type PendingState = 'sent' | 'draining' | 'accepted' | 'storing' | 'ended'

/** Milliseconds; a deadline that is noticed later shows that the process was stopped or busy. */
const lateMilliseconds = 100

/** Milliseconds that a reply has at least to be stored: a store that is gone fails before. */
const storingMilliseconds = 5000

/** The agent that a request was sent to. */
export interface RequestOwner {
  readonly addr: string
  readonly deadlines: Deadlines
  onTimeout(pending: PendingRequest): void
}

export class PendingRequest extends Deadline {
  readonly request: AgentRequest
  /** The number that the sender passed with the request. */
  readonly part: number
  readonly watch: RequestWatch | undefined
  /** What the watch makes of the reply. */
  verdict: Pick<AgentOutcome, 'result' | 'reason'> | undefined
  /** What the script printed. */
  output: string | undefined
  /** Resolves when the output can be read; undefined: it can be already. */
  outputStored: Promise<void> | undefined
  /** Whether `onReply` has set the client's status. */
  statusReported = false
  #state: PendingState = 'sent'
  /** The outcome when nothing more is received. */
  #expectedOutcome: AgentOutcome | undefined
  readonly #owner: RequestOwner

  constructor(request: AgentRequest, part: number, owner: RequestOwner) {
    super()
    this.request = request
    this.watch = request.watch?.(owner.addr)
    this.part = part
    this.#owner = owner
    owner.deadlines.set(this, request.deadline * 1000)
  }

  onDue(): void {
    this.#owner.onTimeout(this)
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
    return this.#state !== 'ended' && performance.now() - this.due > lateMilliseconds
  }

  setOutput({ text, stored }: { text: string; stored?: Promise<void> }): void {
    this.output = text
    this.outputStored = stored
  }

  drain(): void {
    this.#state = 'draining'
    this.#expectedOutcome = success
  }

  /** The deadline is in `seconds` now. */
  accept(seconds: number): void {
    this.#owner.deadlines.set(this, seconds * 1000)
    this.#state = 'accepted'
    this.#expectedOutcome = success
  }

  /** The reply has come in time: what it says has a time of its own to be stored. */
  store(): void {
    this.#state = 'storing'
    if (this.due < performance.now() + storingMilliseconds) this.#owner.deadlines.set(this, storingMilliseconds)
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
    if (reply === undefined || !this.request.onReply || !isFinalSuccess(this.request, status)) return false
    return outcome.result === 'success' && this.verdict?.result !== 'failure'
  }

  /** Ends the deadline. Returns the outcome by the verdict, with what the script printed. */
  end(outcome: AgentOutcome): AgentOutcome {
    this.#owner.deadlines.end(this)
    this.#state = 'ended'
    this.watch?.end()
    const judged = this.verdict ? applyVerdict(this.verdict, outcome) : outcome
    if (this.output === undefined) return judged
    // Written out, as thousands succeed at once, and a spread has V8 make a new shape for each of them.
    if (judged === success) return { result: 'success', answered: true, output: this.output }
    return { ...judged, output: this.output }
  }

  /** The outcome when something other than a reply ends the request. */
  outcomeOr(reason: string): AgentOutcome {
    return this.#expectedOutcome ?? failure(reason)
  }

  outcomeOnClose(): AgentOutcome {
    return this.request.forward.endsOnClose ? success : this.outcomeOr('connection lost')
  }

  outcomeOnTimeout(): AgentOutcome {
    if (this.#expectedOutcome) return this.#expectedOutcome
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
