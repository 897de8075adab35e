// One connected agent: its connection, its status, and the request that it is working on.
import type { Socket } from 'node:net'
import type { Log } from '../log/log.ts'
import type { FleetEvent } from '../system/events.ts'
import type { TimeSlicer } from '../system/time-slices.ts'
import { type AgentOutcome, type AgentRequest, failure, success } from './agent-request.ts'
import { ClientState } from './client-state.ts'
import { CloseConfirmations } from './close-confirmations.ts'
import type { FramingError, Message } from './connection/codec.ts'
import { afterInput, type ConnectionEvents, followConnection, type WriteBatch } from './connection/connection.ts'
import { type EarlyContext, isSuccess, PendingRequest } from './pending-request.ts'
import type { StoredOutput } from './script-outputs.ts'
import { parseReply, type RepliedAgent, refusalOutcome, storeReply } from './store-reply.ts'
import { type EarlyReport, Unsolicited, type UnsolicitedDeps } from './unsolicited.ts'

/** What all agents have in common. */
export interface AgentContext extends EarlyContext {
  /** Most bytes of a message. */
  limit: number
  /** Limits the agent input that is processed per event-loop tick. */
  timeSlicer: TimeSlicer
  writeBatch: WriteBatch
  /** Option `rest.os_states`. */
  osStates: boolean
  /** Seconds until a request that the agent accepted with 202 ends. */
  acceptedSeconds: number
  /** The log for lines of one kind about one agent; it throttles them. */
  logOf(addr: string, kind: string): Log
  onEnd(agent: Agent, request: AgentRequest, outcome: AgentOutcome, part: number): void
  /** The agent's entry has changed. */
  onChange(addr: string): void
  /** Such as a login or hello; the status is already that of the session. Undefined for a repeated event. */
  onReport(agent: Agent, event: FleetEvent | undefined): void
  onClose(agent: Agent): void
}

/** Implements what its parts ask for itself: functions made for each agent would take 4 KB of memory. */
export class Agent implements RepliedAgent, ConnectionEvents, UnsolicitedDeps {
  readonly addr: string
  readonly state: ClientState
  /** Whether it has been sent the command for new connections. Nothing is sent before that. */
  isReadyToSend = false
  /** Whether it is the agent of its address: not replaced by a newer connection, and not gone. */
  isPresent = true
  /** Whether its first refresh has ended, with any result. */
  isRefreshed = false
  #pending: PendingRequest | undefined
  /** How many replies are missing to requests that were interrupted or have timed out. */
  #staleReplies = 0
  readonly confirmations: CloseConfirmations
  readonly #unsolicited: Unsolicited
  readonly #socket: Socket
  readonly #context: AgentContext

  constructor(addr: string, socket: Socket, context: AgentContext) {
    this.addr = addr
    this.#socket = socket
    this.#context = context
    this.confirmations = new CloseConfirmations(context, () => context.onReport(this, { type: 'client-ready', addr }))
    this.state = new ClientState(addr, context.osStates, context.onChange)
    this.#unsolicited = new Unsolicited(this)
    followConnection(socket, context, this)
  }

  /** The request that has not ended, if there is one. */
  get request(): AgentRequest | undefined {
    return this.#pending?.request
  }

  /** Whether its connection can be written to; false some time before `onClose` is called. */
  get isOpen(): boolean {
    return this.#socket.writable
  }

  /** Whether a request can be sent: a busy agent is skipped, unless the request interrupts. */
  canSend(request: AgentRequest): boolean {
    return (this.isReadyToSend && !this.#pending) || request.forward.whileBusy === true
  }

  /** Sends a request for which `canSend` is true. */
  send(request: AgentRequest, part: number): void {
    const interrupted = this.#pending
    const origin = { addr: this.addr, part, knows: (keys: readonly string[]) => this.#unsolicited.knows(keys) }
    const pending = new PendingRequest(request, origin, () => this.#onTimeout(pending))
    this.#pending = pending
    this.state.setBusy(request.forward.showsBusy !== false)
    // After the new request is set, so that listeners do not see the client as idle.
    if (interrupted) this.#endEarly(interrupted, interrupted.outcomeOnInterruption(request))
    this.#context.writeBatch.write(this.#socket, pending.bytes)
    if (request.forward.expectsReply === false) {
      pending.drain()
      this.state.setResult('success')
      if (this.#staleReplies === 0) this.#end(pending, success)
    }
  }

  /** Stores what a script has printed, also with the request whose reply is being stored. */
  setOutput(text: string): StoredOutput {
    const output = this.#context.setOutput(this.addr, text)
    if (this.#pending?.state === 'storing') this.#pending.output = output
    return output
  }

  logOf(kind: string): Log {
    return this.#context.logOf(this.addr, kind)
  }

  /** With a reason the pending request ends at once, for that reason; otherwise it ends when the socket has closed. */
  close(reason?: string): void {
    // Before the request ends, so that listeners do not see the client as idle.
    this.#socket.destroy()
    if (this.#pending && reason !== undefined) this.#end(this.#pending, this.#pending.outcomeOr(reason))
    if (reason !== undefined) this.confirmations.close(reason)
  }

  onReport(event: FleetEvent | undefined): void {
    this.#context.onReport(this, event)
  }

  onEarly(report: EarlyReport): boolean {
    return this.#staleReplies === 0 && this.#pending?.addEarly(report, this.#context) === true
  }

  onError(error: Error): void {
    this.logOf('failed').info(`agent ${this.addr}`, `connection failed: ${error.message}`)
  }

  #onTimeout(pending: PendingRequest): void {
    if (!pending.isLate) return this.#endEarly(pending, pending.outcomeOnTimeout())
    // The process was stopped: a reply that came in time may wait in the kernel.
    afterInput(this.#socket, this.#context.timeSlicer, () => {
      if (pending.isLate) this.#endEarly(pending, pending.outcomeOnTimeout())
    })
  }

  /** Ends a request whose reply may still come. */
  #endEarly(pending: PendingRequest, outcome: AgentOutcome): void {
    if (pending.state === 'sent') this.#staleReplies += 1
    this.#end(pending, outcome)
  }

  #end(pending: PendingRequest, outcome: AgentOutcome): void {
    if (pending.state === 'ended') return
    if (this.#pending === pending) {
      this.#pending = undefined
      this.state.setBusy(false)
    }
    const finalOutcome = pending.end(outcome)
    this.state.setResult(finalOutcome.result)
    const { request, part } = pending
    const confirmed = this.confirmations.confirm(request, finalOutcome, !this.#socket.destroyed)
    this.#context.onEnd(this, request, confirmed, part)
  }

  onClose(): void {
    const pending = this.#pending
    // A reply that has come already is still stored.
    if (pending && pending.state !== 'storing') this.#end(pending, pending.outcomeOnClose())
    this.#unsolicited.close()
    this.confirmations.close()
    this.#context.onClose(this)
  }

  onFramingError({ message }: FramingError): void {
    const reason = `reply not understood, connection closed: ${message}`
    if (this.#pending) this.#end(this.#pending, failure(reason, true))
    else this.logOf('closed').warn(`agent ${this.addr}`, `connection closed: ${message}`)
    this.close()
  }

  onMessage({ status, body }: Message): void {
    if (status === 103) return this.#unsolicited.onEvent(body)
    if (status < 200) return this.#unsolicited.ignore() // such as 100 Continue, which means nothing here
    const pending = this.#pending
    if (!pending?.awaitsReply) return this.#ignoreReply(status)
    const parsed = body === undefined ? undefined : parseReply(pending.request, body, this.#staleReplies > 0)
    const mismatch = parsed?.mismatch
    if (mismatch !== undefined && this.#staleReplies > 0) return this.#ignoreReply(status)
    if (mismatch === undefined) this.#unsolicited.reset()
    const outcome = mismatch === undefined ? success : failure(`reply not understood: ${mismatch}`, true)
    if (!pending.watch || status === 202) return this.#onReply(pending, status, outcome, parsed?.reply)
    void pending.judge(pending.watch, () => this.#onReply(pending, status, outcome, parsed?.reply))
  }

  #onReply(pending: PendingRequest, status: number, outcome: AgentOutcome, reply: unknown): void {
    if (pending.isToStore(status, outcome, reply)) this.#store(pending, status, reply)
    else this.#onStatus(pending, status, outcome, reply)
  }

  /** Handles a reply by its status alone. `outcome` is used where the status means success. */
  #onStatus(pending: PendingRequest, status: number, outcome: AgentOutcome, reply?: unknown): void {
    if (status === 202) {
      pending.accept(this.#context.acceptedSeconds)
      return this.state.setResult('success')
    }
    if (isSuccess(status)) {
      this.state.clearAgentBusy()
      return this.#end(pending, outcome)
    }
    if (status === 503) this.state.setAgentBusy()
    this.#end(pending, refusalOutcome(pending.request, status, reply))
  }

  #store(pending: PendingRequest, status: number, reply: unknown): void {
    pending.store()
    const outcome = storeReply({ agent: this, pending, status, body: reply })
    if (outcome instanceof Promise) void outcome.then(stored => this.#end(pending, stored))
    else this.#end(pending, outcome)
  }

  /** Ignores a reply that belongs to no pending request. After the last stale reply a `draining` request ends. */
  #ignoreReply(status: number): void {
    const isStale = this.#staleReplies > 0
    if (isStale) this.#staleReplies -= 1
    const reason = isStale ? 'it belongs to a request that has ended' : 'no request is pending'
    this.logOf('ignored').info(`agent ${this.addr}`, `reply ${status} ignored: ${reason}`)
    if (!isStale) this.#unsolicited.ignore()
    if (this.#pending?.state === 'draining' && this.#staleReplies === 0) this.#end(this.#pending, success)
  }
}
