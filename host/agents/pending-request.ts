// The request that an agent is working on: its state, its deadline and its outcome.
import { interruptedBy } from '../../stores/rules/stopped-parts.ts'
import { message } from '../log/log.ts'
import {
  type AgentOutcome,
  type AgentRequest,
  failure,
  type RequestWatch,
  type StepOfJob,
  stillConnected,
  success,
} from './agent-request.ts'
import type { StoredOutput } from './script-outputs.ts'
import type { CopyReport, EarlyReport, OutputPiece } from './unsolicited.ts'

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

/** Pieces of output that are taken of an agent at once, and then in a second: more than ours sends. */
const [firstPieces, piecesPerSecond] = [5, 2]

/** Milliseconds that a reply has at least to be stored: a store that is gone fails before. */
const storingMilliseconds = 5000

/** Where pieces of output and reports of progress go. */
export interface EarlyContext {
  setOutput(addr: string, text: string): StoredOutput
  /** Characters that `setOutput` keeps. */
  outputLimit: number
  /** The script of a step prints. */
  onPiece(addr: string, step: StepOfJob | undefined, piece: OutputPiece): void
  onProgress(addr: string, request: Pick<AgentRequest, 'step' | 'command'>, report: CopyReport): void
}

export class PendingRequest {
  readonly request: AgentRequest
  /** The number that the sender passed with the request. */
  readonly part: number
  readonly watch: RequestWatch | undefined
  /** What the watch makes of the reply. */
  verdict: Pick<AgentOutcome, 'result' | 'reason'> | undefined
  /** What the script printed, while it runs as far as the agent has sent it. */
  output: StoredOutput | undefined
  /** Whether `onReply` has set the client's status. */
  statusReported = false
  #state: PendingState = 'sent'
  /** The outcome when nothing more is received. */
  #expectedOutcome: AgentOutcome | undefined
  readonly #onTimeout: (pending: PendingRequest) => void
  #timer: NodeJS.Timeout | undefined
  readonly #addr: string
  readonly #isExtended: boolean
  readonly #started = performance.now()
  #pieces = 0
  /** When the time is over, by `performance.now()`. */
  #due = 0

  /** `knows`: whether the agent knows these keys of requests. */
  constructor(
    request: AgentRequest,
    { addr, part, knows }: { addr: string; part: number; knows(keys: readonly string[]): boolean },
    onTimeout: (pending: PendingRequest) => void,
  ) {
    const isExtended = request.extended !== undefined && knows(request.extended.keys)
    this.request = request
    this.#addr = addr
    this.watch = (isExtended ? request.extended : request)?.watch?.(addr)
    this.part = part
    this.#isExtended = isExtended
    this.#onTimeout = onTimeout
    this.#setDeadline(this.#variant.deadline * 1000)
  }

  get #variant(): Pick<AgentRequest, 'bytes' | 'deadline'> {
    return (this.#isExtended && this.request.extended) || this.request
  }

  get bytes(): Buffer {
    return this.#variant.bytes
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

  /** Takes a piece of output, or how far a copy is; false when it is not expected, as those of a script that was interrupted. */
  addEarly(report: EarlyReport, context: EarlyContext): boolean {
    this.#pieces += 1
    const allowed = firstPieces + ((performance.now() - this.#started) / 1000) * piecesPerSecond
    if (!this.#isExtended || !this.awaitsReply || this.#pieces > allowed) return false
    if ('percent' in report) context.onProgress(this.#addr, this.request, report)
    else this.#addPiece(report, context)
    return true
  }

  #addPiece(piece: OutputPiece, { setOutput, outputLimit, onPiece }: EarlyContext): void {
    const { text: printed } = this.output ?? { text: '' }
    const gap = piece.omitted > 0 ? `[${piece.omitted} characters left out]\n` : ''
    if (printed.length < outputLimit) this.output = setOutput(this.#addr, printed + gap + piece.text)
    onPiece(this.#addr, this.request.step, piece)
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

  outcomeOnInterruption(by: AgentRequest): AgentOutcome {
    return this.outcomeOr(interruptedBy(by))
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
