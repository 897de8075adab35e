// One connected agent: its status, the command that it was sent last, and the answers that it owes.
import type { Socket } from 'node:net'
import type { ClientEntry, Limits } from '../services.ts'
import { type Log, message } from '../system/log.ts'
import type { TimeSlicer } from '../system/time-slices.ts'
import {
  type AgentOutcome,
  type AgentRequest,
  failure,
  parseReply,
  parseSessionEvent,
  type SessionEvent,
  success,
} from './agent-request.ts'
import { createDecoder, type Decoder, FramingError, type Message } from './codec.ts'
import { keepStatus, stateOf } from './status.ts'
import type { WriteBatch } from './write-batch.ts'

/** What an agent is told at birth: its limits and whom it reports to. */
export interface AgentContext {
  log: Log
  limits: Limits
  /** What agents say is heard in slices. */
  timeSlicer: TimeSlicer
  writeBatch: WriteBatch
  /** Until a client is free whose agent answered 202 and says nothing more. */
  acceptedSeconds: number
  onEnd(agent: Agent, order: AgentRequest, ending: AgentOutcome, part: number): void
  /** What callers see of the agent is no longer as it was. */
  onChange(): void
  /** Somebody has logged in or out. */
  onSession(agent: Agent, session: SessionEvent): void
  onClose(agent: Agent): void
}

interface Pending {
  request: AgentRequest
  /** What the sender gave with it. */
  part: number
  /** `accepted`: answered 202; `settling`: the answer is here and is being stored. */
  phase: 'sent' | 'accepted' | 'settling'
  /** How the command ends if the agent says nothing more. */
  expectedOutcome: AgentOutcome | undefined
  output: string | undefined
  /** Whether its answer has told the status. */
  statusReported: boolean
  timer: NodeJS.Timeout
}

/** What `GET /clients` says of a client's last command. */
export const lastCommands = {
  unknown: Object.freeze({ result: 'unknown' }),
  success: Object.freeze({ result: 'success' }),
  failure: Object.freeze({ result: 'failure' }),
} as const

export class Agent {
  readonly addr: string
  readonly status = keepStatus()
  /** Mbit/s. */
  speed = 0
  result: 'unknown' | 'success' | 'failure' = 'unknown'
  /** Whether it has been sent what an agent is sent when it has connected; nothing goes before that. */
  isReadyToSend = false
  /** Whether its first refresh has ended, however. */
  refreshed = false
  #entry: ClientEntry | undefined
  /** State and status as they were last told. */
  shownState = ''
  shownStatus = ''
  #pending: Pending | undefined
  /** Answers to commands that were interrupted or overdue. */
  #staleReplies = 0
  readonly #socket: Socket
  readonly #decoder: Decoder
  readonly #context: AgentContext

  constructor(addr: string, socket: Socket, surroundings: AgentContext) {
    this.addr = addr
    this.#socket = socket
    this.#context = surroundings
    this.#decoder = createDecoder(surroundings.limits.request, message => this.#receive(message))
    socket.on('data', bytes => {
      const isHeard = surroundings.timeSlicer(() => this.#onData(bytes), bytes.length)
      // One who has to wait says no more meanwhile; the kernel keeps it.
      if (!isHeard) socket.pause()
    })
    socket.on('error', error => surroundings.log.info(`agent ${addr}`, `connection failed: ${error.message}`))
    socket.on('close', () => surroundings.timeSlicer(() => this.#closed()))
  }

  /** The last command, while the client has one. */
  get request(): AgentRequest | undefined {
    return this.#pending?.request
  }

  /** The displayed state, in the order in which the specification evaluates it. */
  state(osStates: boolean): string {
    const order = this.#pending?.request
    return order && order.showsBusy !== false ? 'BSY' : stateOf(this.status.current, osStates)
  }

  /** How callers see it, frozen; the same object until something of it changes. */
  entry(osStates: boolean): ClientEntry {
    this.#entry ??= Object.freeze({
      addr: this.addr,
      state: this.state(osStates),
      speed: this.speed,
      last_cmd: lastCommands[this.result],
      status: this.status.current,
    })
    return this.#entry
  }

  /** Whether its connection takes anything more; that it is over is told later. */
  get isOpen(): boolean {
    return this.#socket.writable
  }

  /** Whether the order can go: a client with a last command is skipped, unless the order ends that. */
  takes(order: AgentRequest): boolean {
    return (this.isReadyToSend && !this.#pending) || order.whileBusy === true
  }

  /** Writes an order that the agent takes; it becomes the last command. */
  send(order: AgentRequest, part: number): void {
    const interrupted = this.#pending
    const timer = setTimeout(() => this.#overdue(pending), order.deadline * 1000)
    const pending: Pending = {
      request: order,
      part,
      phase: 'sent',
      expectedOutcome: undefined,
      output: undefined,
      statusReported: false,
      timer,
    }
    this.#pending = pending
    this.#change()
    // Told when the client has its next command: whoever hears it must not take the client for free.
    if (interrupted) this.#interrupt(interrupted, order.command)
    this.#context.writeBatch.write(this.#socket, order.bytes)
    if (order.expectsReply === false) {
      this.#expectSuccess(pending)
      if (this.#staleReplies === 0) this.#end(pending, success)
    }
  }

  /** What is printed belongs to the command whose answer is being settled. */
  keepOutput(output: string): void {
    if (this.#pending?.phase === 'settling') this.#pending.output = output
  }

  /** With a reason, what is running ends at once and for it. */
  close(reason?: string): void {
    // First, so that whoever hears of the end does not take the client for free.
    this.#socket.destroy()
    if (this.#pending && reason !== undefined)
      this.#end(this.#pending, this.#pending.expectedOutcome ?? failure(reason))
  }

  #change(): void {
    this.#entry = undefined
    this.#context.onChange()
  }

  #expectSuccess(pending: Pending): void {
    pending.expectedOutcome = success
    this.result = success.result
    this.#change()
  }

  #interrupt(pending: Pending, by: string): void {
    if (pending.phase === 'sent' && pending.request.expectsReply !== false) this.#staleReplies += 1
    this.#finish(pending, pending.expectedOutcome ?? failure(`interrupted by ${by}`))
  }

  #overdue(pending: Pending): void {
    if (!pending.expectedOutcome && pending.phase === 'sent') this.#staleReplies += 1
    const isHere = pending.phase === 'settling'
    const reason = isHere ? 'answer not stored in time' : 'no answer in time'
    this.#end(pending, pending.expectedOutcome ?? { ...failure(reason, isHere), overdue: true })
  }

  #closed(): void {
    const pending = this.#pending
    // An answer that is here already is still stored.
    if (pending && pending.phase !== 'settling') {
      const closing = pending.request.endsOnClose ? success : failure('connection lost')
      this.#end(pending, pending.expectedOutcome ?? closing)
    }
    this.#context.onClose(this)
  }

  #onData(bytes: Buffer): void {
    if (this.#socket.isPaused()) this.#socket.resume()
    try {
      this.#decoder.feed(bytes)
    } catch (error) {
      if (!(error instanceof FramingError)) throw error
      const { log } = this.#context
      if (this.#pending)
        this.#end(this.#pending, failure(`answer not understood, connection closed: ${error.message}`, true))
      else log.warn(`agent ${this.addr}`, `connection closed: ${error.message}`)
      this.close()
    }
  }

  #receive({ status, body }: Message): void {
    if (status === 103) return this.#session(body)
    // Other interim answers, as 100 Continue, say nothing.
    if (status < 200) return
    const pending = this.#pending
    if (!pending || pending.phase === 'settling' || pending.request.expectsReply === false) return this.#drop(status)
    const read = body === undefined ? undefined : parseReply(pending.request, body, this.#staleReplies > 0)
    if (read && 'misfit' in read) {
      if (this.#staleReplies > 0) return this.#drop(status)
      return this.#answered(pending, status, failure(`answer not understood: ${read.misfit}`, true))
    }
    const isFinal = status === 202 ? pending.request.endsOn202 === true : status >= 200 && status <= 299
    if (!read || !pending.request.onReply || !isFinal) return this.#answered(pending, status, success)
    void this.#settle(pending, status, read.reply)
  }

  /** Ends a command by the status of its answer; `ending` is how a status that means success ends it. */
  #answered(pending: Pending, status: number, ending: AgentOutcome): void {
    if (status === 202) {
      clearTimeout(pending.timer)
      const { acceptedSeconds } = this.#context
      pending.timer = setTimeout(() => this.#overdue(pending), acceptedSeconds * 1000)
      pending.phase = 'accepted'
      return this.#expectSuccess(pending)
    }
    if (status >= 200 && status <= 299) {
      this.status.done()
      return this.#end(pending, ending)
    }
    if (status === 503) this.status.busy()
    this.#end(pending, failure(`agent answered ${status}`, true))
  }

  async #settle(pending: Pending, status: number, reply: unknown): Promise<void> {
    const { log } = this.#context
    const { command, payload: sent, onReply: settle } = pending.request
    pending.phase = 'settling'
    try {
      const setStatus = this.#setStatus.bind(this, pending)
      const setSpeed = this.#setSpeed.bind(this)
      const stored = await settle?.(reply, { addr: this.addr, sent, setStatus, setSpeed })
      // An agent that says its status itself is believed.
      if (!pending.statusReported && status !== 202) this.status.done()
      this.#change()
      if (stored === false) log.info(`agent ${this.addr}`, `${command}: no computer record, nothing stored`)
      this.#end(pending, success)
    } catch (error) {
      log.error(`agent ${this.addr}`, `${command}: its answer was not stored`, error)
      this.#end(pending, failure(`answer not stored: ${message(error)}`, true))
    }
  }

  #setStatus(pending: Pending, word: string): void {
    const { log } = this.#context
    pending.statusReported = true
    if (!this.status.say(word)) log.warn(`agent ${this.addr}`, `unknown status ${JSON.stringify(word)}`)
    this.#change()
  }

  #setSpeed(speed: number): void {
    this.speed = speed
    this.#change()
  }

  #end(pending: Pending, ending: AgentOutcome): void {
    if (this.#pending !== pending) return
    this.#pending = undefined
    this.#finish(pending, ending)
  }

  #finish(pending: Pending, ending: AgentOutcome): void {
    clearTimeout(pending.timer)
    this.result = ending.result
    this.#change()
    const { request: order, part, output } = pending
    this.#context.onEnd(this, order, output === undefined ? ending : { ...ending, output }, part)
  }

  /** Drops an answer that no pending command waits for; the last owed one sets a client free that was told to stop. */
  #drop(status: number): void {
    const owed = this.#staleReplies > 0
    if (owed) this.#staleReplies -= 1
    const why = owed ? 'it belongs to a command that has ended' : 'no command is pending'
    this.#context.log.info(`agent ${this.addr}`, `answer ${status} dropped: ${why}`)
    const pending = this.#pending
    if (pending?.request.expectsReply === false && this.#staleReplies === 0) this.#end(pending, success)
  }

  #session(body: string | undefined): void {
    const { log, onSession: session } = this.#context
    const told = parseSessionEvent(body)
    if (!told) return log.warn(`agent ${this.addr}`, `103 dropped: no session event, got ${body?.slice(0, 80)}`)
    this.status.session(told.action)
    this.#change()
    session(this, told)
  }
}
