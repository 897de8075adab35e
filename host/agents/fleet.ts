// All connected agents by address: connects them, sends requests to them, and reports what happens as events.
import type { Socket } from 'node:net'
import type { ClientEntry, FleetService } from '../contract/services.ts'
import { limitLog } from '../log/limited-log.ts'
import type { FleetEvent } from '../system/events.ts'
import { createTimeSlicer } from '../system/time-slices.ts'
import { Agent } from './agent.ts'
import { type AgentContext, defaultSeconds, type FleetDeps } from './agent-context.ts'
import { type AgentOutcome, type AgentRequest, endEvent, failure } from './agent-request.ts'
import { logReplacements } from './connection/replacements.ts'
import { createWriteBatch } from './connection/write-batch.ts'
import { Deadlines } from './deadlines.ts'
import { ListedClients } from './listed-clients.ts'
import { createScriptOutputs, createSharedOutputs, type ScriptOutputs } from './script-outputs.ts'
import { WakeEntries } from './wake-entries.ts'

/** Stands for the part's number in requests that belong to no job. */
const noPart = -1

export class Fleet implements FleetService {
  readonly #deps: FleetDeps
  readonly #context: AgentContext<Agent>
  /** Oldest connection first. An address that connects again moves to the end. */
  readonly #agents = new Map<string, Agent>()
  readonly #wakeEntries: WakeEntries
  readonly #outputs: ScriptOutputs
  /** The log for lines of one kind about one agent. */
  readonly #logOf: AgentContext<Agent>['logOf']
  readonly #listed: ListedClients

  constructor(deps: FleetDeps) {
    const { log, events, limits, osStates, remote, outputs, seconds = defaultSeconds } = deps
    const onChange = () => this.#listed.change()
    this.#deps = deps
    this.#wakeEntries = new WakeEntries({
      ...deps,
      seconds: seconds.wakeEntry,
      isLocal: addr => this.hasLocal(addr),
      onChange,
    })
    this.#listed = new ListedClients({ ...deps, agents: this.#agents, wakeEntries: this.#wakeEntries })
    this.#outputs = outputs ? createSharedOutputs(outputs, limits.output, log) : createScriptOutputs(limits.output)
    const limitedLog = limitLog(log)
    this.#logOf = (addr, kind) => limitedLog(`${addr} ${kind}`)
    logReplacements({ log, events })
    remote?.onReplaced(addr => this.closeReplaced(addr))
    // Which agents are listed may depend on the records.
    events.on(onChange, ['computer-added', 'computer-changed', 'computer-removed'])
    this.#context = {
      timeSlicer: createTimeSlicer(),
      writeBatch: createWriteBatch(),
      deadlines: new Deadlines(),
      acceptedSeconds: seconds.accepted,
      logOf: this.#logOf,
      limits,
      osStates,
      outputOf: addr => this.#outputs.of(addr),
      onChange: addr => this.#listed.change(addr),
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
    this.#listed.change()
    older?.closeReplaced()
    if (older || this.#deps.remote?.has(addr)) events.emit({ type: 'client-replaced', addr })
    else this.#logOf(addr, 'connected').info(`agent ${addr}`, 'connected', { event: 'client-connected' })
    events.emit({ type: 'client-connected', addr })
    if (!this.#deps.hasRecord(addr)) events.emit({ type: 'client-pending', addr })
    if (wasWoken) events.emit({ type: 'wake-answered', addr })
    this.#emitStateChange(agent)
    this.#context.timeSlicer(() => {
      if (!agent.isPresent) return
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
    return this.#listed.list()
  }

  /** The states of this host's agents. */
  states(): string[] {
    return this.#listed.states()
  }

  has(addr: string): boolean {
    return this.#agents.has(addr) || this.#deps.remote?.has(addr) === true
  }

  /** Whether the agent is connected to this host. */
  hasLocal(addr: string): boolean {
    return this.#agents.has(addr)
  }

  running(): { addr: string; command: string; payload: unknown }[] {
    return this.#listed.running()
  }

  addWakeEntry(addr: string, kind?: string): void {
    this.#wakeEntries.add(addr, kind)
  }

  output(addr: string): string | Promise<string> {
    return this.#outputs.get(addr)
  }

  setOutput(addr: string, output: string): Promise<void> | undefined {
    const result = this.#outputs.of(addr).set(output)
    this.#agents.get(addr)?.setPendingOutput(result)
    return result.stored
  }

  clearOutput(addrs: string[]): void | Promise<void> {
    return this.#outputs.delete(addrs)
  }

  /** Closes the connection to this host of a client that has a newer one to another host. */
  closeReplaced(addr: string): void {
    const agent = this.#agents.get(addr)
    if (!agent) return
    this.#agents.delete(addr)
    this.#listed.change()
    this.#logOf(addr, 'disconnected').info(`agent ${addr}`, 'connected to another host, connection to this one closed')
    this.#deps.events.emit({ type: 'client-gone', addr, replaced: true })
    agent.closeReplaced()
  }

  close(): void {
    this.#wakeEntries.close()
    for (const agent of this.#agents.values()) agent.close('daemon ended')
  }

  #trySend(agent: Agent, request: AgentRequest, part: number): boolean {
    if (!agent.canSend(request)) return false
    // Before it is sent, because a request without a reply may end while it is sent.
    this.#deps.events.emit({ type: 'command-sent', addr: agent.addr, command: request.command })
    const obstacle = request.beforeSend?.(agent.addr)
    if (obstacle === undefined) agent.send(request, part)
    else this.#onEnd(agent, request, failure(obstacle), part)
    this.#emitStateChange(agent)
    return true
  }

  #onEnd(agent: Agent, request: AgentRequest, outcome: AgentOutcome, part: number): void {
    const { addr } = agent
    const { command } = request
    if (outcome.result === 'failure') {
      const fields = { event: 'command-failed', command, reason: outcome.reason }
      this.#logOf(addr, 'command').warn(`agent ${addr}`, `${command} failed: ${outcome.reason}`, fields)
    }
    request.onEnd?.(addr, outcome, part)
    this.#deps.events.emit(endEvent(addr, command, outcome))
    this.#emitStateChange(agent)
    if (request.forward.onConnect && agent.isPresent) this.#setRefreshed(agent)
  }

  #setRefreshed(agent: Agent): void {
    agent.isRefreshed = true
    this.#deps.events.emit({ type: 'client-ready', addr: agent.addr })
  }

  #onReport(agent: Agent, event: FleetEvent | undefined): void {
    if (!agent.isPresent) return
    if (event) this.#deps.events.emit(event)
    this.#emitStateChange(agent)
  }

  /** Emits `client-state` when the state or status that callers see has changed. */
  #emitStateChange(agent: Agent): void {
    const event = agent.isPresent ? agent.state.nextEvent() : undefined
    if (event) this.#deps.events.emit(event)
  }

  #onClose(agent: Agent): void {
    if (!agent.isPresent) return
    agent.isPresent = false
    this.#agents.delete(agent.addr)
    this.#listed.change()
    this.#logOf(agent.addr, 'disconnected').info(`agent ${agent.addr}`, 'disconnected', { event: 'client-gone' })
    this.#deps.events.emit({ type: 'client-gone', addr: agent.addr })
  }
}
