// All connected agents by address: connects them, sends requests to them, and reports what happens as events.
import type { Socket } from 'node:net'
import type { ClientEntry, FleetService, Limits } from '../services.ts'
import { cutText } from '../system/cut-text.ts'
import type { Events, FleetEvent } from '../system/events.ts'
import { freeze } from '../system/frozen.ts'
import { limitLog } from '../system/limited-log.ts'
import type { Log } from '../system/log.ts'
import { createTimeSlicer } from '../system/time-slices.ts'
import { Agent, type AgentContext } from './agent.ts'
import type { AgentOutcome, AgentRequest } from './agent-request.ts'
import { listClients } from './client-list.ts'
import { logReplacements } from './replacements.ts'
import { ScriptOutputs } from './script-outputs.ts'
import { WakeEntries } from './wake-entries.ts'
import { createWriteBatch } from './write-batch.ts'

export interface FleetDeps {
  log: Log
  events: Events
  limits: Limits
  /** Option `rest.os_states`. */
  osStates: boolean
  /** Whether the address has a computer record. */
  hasRecord(addr: string): boolean
  /** Shorter times for tests. */
  seconds?: typeof defaultSeconds
}

/**
 * `wakeEntry`: from the last wake-up to the end of the wake-up entry. `accepted`: from a reply 202 to the end of that
 * request.
 */
const defaultSeconds = { wakeEntry: 60, accepted: 30 }

/** Stands for the part's number in requests that belong to no job. */
const noPart = -1

export class Fleet implements FleetService {
  readonly #deps: FleetDeps
  readonly #context: AgentContext
  /** Oldest connection first. An address that connects again moves to the end. */
  readonly #agents = new Map<string, Agent>()
  readonly #wakeEntries: WakeEntries
  readonly #outputs: ScriptOutputs
  /** The log for lines of one kind about one agent. */
  readonly #logOf: AgentContext['logOf']
  /** The list that callers get, until something in it changes. */
  #clients: readonly ClientEntry[] | undefined

  constructor(deps: FleetDeps) {
    const { log, events, limits, osStates, seconds = defaultSeconds } = deps
    const onChange = () => {
      this.#clients = undefined
    }
    this.#deps = deps
    this.#wakeEntries = new WakeEntries({ events, seconds: seconds.wakeEntry, onChange })
    this.#outputs = new ScriptOutputs(limits.output)
    const limitedLog = limitLog(log)
    this.#logOf = (addr, kind) => limitedLog(`${addr} ${kind}`)
    logReplacements({ log, events })
    // Which agents are listed may depend on the records.
    events.on(onChange, ['computer-added', 'computer-changed', 'computer-removed'])
    this.#context = {
      timeSlicer: createTimeSlicer(),
      writeBatch: createWriteBatch(),
      acceptedSeconds: seconds.accepted,
      logOf: this.#logOf,
      limits,
      osStates,
      setOutput: (addr, text) => this.#outputs.set(addr, text),
      onUnknownStatus: (addr, word) =>
        this.#logOf(addr, 'status').warn(`agent ${addr}`, `unknown status ${JSON.stringify(cutText(word, 40))}`),
      onChange,
      onEnd: (agent, request, outcome, part) => this.#onEnd(agent, request, outcome, part),
      onReport: (agent, event) => this.#onReport(agent, event),
      onClose: agent => this.#onClose(agent),
    }
  }

  /**
   * Adds a new connection and closes an older one from the same address. `firstRequest` returns what the agent is sent
   * before anything else, if anything.
   */
  connect(addr: string, socket: Socket, firstRequest: () => AgentRequest | undefined): void {
    const { events } = this.#deps
    const wasWoken = this.#wakeEntries.remove(addr)
    const older = this.#agents.get(addr)
    const agent = new Agent(addr, socket, this.#context)
    this.#agents.delete(addr)
    this.#agents.set(addr, agent)
    this.#clients = undefined
    older?.close()
    if (older) events.emit({ type: 'client-replaced', addr })
    else this.#logOf(addr, 'connected').info(`agent ${addr}`, 'connected', { event: 'client-connected' })
    events.emit({ type: 'client-connected', addr })
    if (!this.#deps.hasRecord(addr)) events.emit({ type: 'client-pending', addr })
    if (wasWoken) events.emit({ type: 'wake-answered', addr })
    this.#emitStateChange(agent)
    this.#context.timeSlicer(() => {
      if (this.#agents.get(addr) !== agent) return
      agent.isReadyToSend = true
      const request = firstRequest()
      if (!request || !this.#trySend(agent, request, noPart)) this.#setRefreshed(agent)
    })
  }

  /**
   * Sends a request, unless the client is busy and the request does not interrupt. `part` is passed to the request's
   * `onEnd`.
   */
  send(addr: string, request: AgentRequest, part = noPart): 'sent' | 'busy' | 'not connected' {
    const agent = this.#agents.get(addr)
    if (!agent?.isOpen) return 'not connected'
    return this.#trySend(agent, request, part) ? 'sent' : 'busy'
  }

  /** Runs `work`, which sends to many agents; the bytes are written together at its end. */
  batchWrites(work: () => void): void {
    this.#context.writeBatch.run(work)
  }

  /** Whether queued work can be sent: the client is connected, its first refresh has ended, and it is not busy. */
  isReady(addr: string): boolean {
    const agent = this.#agents.get(addr)
    return agent?.isOpen === true && agent.isRefreshed && agent.request === undefined
  }

  clients(): readonly ClientEntry[] {
    this.#clients ??= freeze(listClients(this.#wakeEntries.list(), [...this.#agents.values()], this.#deps))
    return this.#clients
  }

  has(addr: string): boolean {
    return this.#agents.has(addr)
  }

  running(): { addr: string; command: string; payload: unknown }[] {
    return [...this.#agents.values()].flatMap(({ addr, request }) =>
      request ? [{ addr, command: request.command, payload: request.payload }] : [],
    )
  }

  addWakeEntry(addr: string): void {
    this.#wakeEntries.add(addr)
  }

  output(addr: string): string {
    return this.#outputs.get(addr)
  }

  setOutput(addr: string, output: string): void {
    const stored = this.#outputs.set(addr, output)
    this.#agents.get(addr)?.setPendingOutput(stored)
  }

  clearOutput(addrs: string[]): void {
    for (const addr of addrs) this.#outputs.delete(addr)
  }

  close(): void {
    this.#wakeEntries.close()
    for (const agent of this.#agents.values()) agent.close('daemon ended')
  }

  #trySend(agent: Agent, request: AgentRequest, part: number): boolean {
    if (!agent.canSend(request)) return false
    // Before it is sent, because a request without a reply may end while it is sent.
    this.#deps.events.emit({ type: 'command-sent', addr: agent.addr, command: request.command })
    agent.send(request, part)
    this.#emitStateChange(agent)
    return true
  }

  #onEnd(agent: Agent, request: AgentRequest, outcome: AgentOutcome, part: number): void {
    const { events } = this.#deps
    const { addr } = agent
    const { command } = request
    const { result, reason, overdue } = outcome
    const fields = { event: 'command-failed', command, reason }
    if (reason !== undefined) this.#logOf(addr, 'command').warn(`agent ${addr}`, `${command} failed: ${reason}`, fields)
    request.onEnd?.(addr, outcome, part)
    const details = { ...(reason !== undefined && { reason }), ...(overdue && { overdue }) }
    events.emit({ type: 'command-ended', addr, command, result, ...details })
    this.#emitStateChange(agent)
    if (request.onConnect && this.#agents.get(addr) === agent) this.#setRefreshed(agent)
  }

  #setRefreshed(agent: Agent): void {
    agent.isRefreshed = true
    this.#deps.events.emit({ type: 'client-ready', addr: agent.addr })
  }

  #onReport(agent: Agent, event: FleetEvent | undefined): void {
    if (this.#agents.get(agent.addr) !== agent) return
    if (event) this.#deps.events.emit(event)
    this.#emitStateChange(agent)
  }

  /** Emits `client-state` when the state or status that callers see has changed. */
  #emitStateChange(agent: Agent): void {
    if (this.#agents.get(agent.addr) !== agent) return
    const event = agent.state.nextEvent()
    if (event) this.#deps.events.emit(event)
  }

  #onClose(agent: Agent): void {
    if (this.#agents.get(agent.addr) !== agent) return
    this.#agents.delete(agent.addr)
    this.#clients = undefined
    this.#logOf(agent.addr, 'disconnected').info(`agent ${agent.addr}`, 'disconnected', { event: 'client-gone' })
    this.#deps.events.emit({ type: 'client-gone', addr: agent.addr })
  }
}
