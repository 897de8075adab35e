// All connected agents by address: connects them, sends requests to them, and reports what happens as events.
import type { Socket } from 'node:net'
import type { LocalPresence, RemoteClients, SharedOutputs } from '../cluster/cluster.ts'
import type { Limits } from '../config/options.ts'
import type { ClientEntry, FleetService } from '../contract/services.ts'
import type { Log } from '../log/log.ts'
import { limitLog } from '../log/throttled-log.ts'
import type { Events, FleetEvent } from '../system/events.ts'
import { createTimeSlicer } from '../system/time-slices.ts'
import { Agent, type AgentContext } from './agent.ts'
import { type AgentOutcome, type AgentRequest, endEvent, failure, logEnd } from './agent-request.ts'
import { ClientList } from './client-list.ts'
import { WriteBatch } from './connection/connection.ts'
import { createEarlyEvents } from './output-events.ts'
import { ClusterOutputs, createScriptOutputs, type ScriptOutputs } from './script-outputs.ts'
import { WakeEntries } from './wake-entries.ts'

interface AgentsDeps {
  log: Log
  events: Events
  limits: Limits
  /** Option `rest.os_states`. */
  osStates: boolean
  /** Whether the address has a computer record. */
  hasRecord(addr: string): boolean
  /** The clients of other hosts, the report to them, and the outputs that all hosts read; absent without other hosts. */
  remote?: RemoteClients
  presence?: LocalPresence
  outputs?: SharedOutputs
  /** `wakeEntry`: from the last wake-up to the end of its entry. `accepted`: from a reply 202 to the end of its request. */
  seconds: { wakeEntry: number; accepted: number }
}

/** Stands for the part's number in requests that belong to no job. */
const noPart = -1

export class Agents implements FleetService {
  readonly #deps: AgentsDeps
  readonly #context: AgentContext
  /** Oldest connection first. An address that connects again moves to the end. */
  readonly #agents = new Map<string, Agent>()
  readonly #wakeEntries: WakeEntries
  readonly #outputs: ScriptOutputs
  readonly #list: ClientList

  constructor(deps: AgentsDeps) {
    const { log, events, limits, osStates, remote, outputs, seconds } = deps
    const onChange = () => this.#list.change()
    this.#deps = deps
    const isLocal = (addr: string) => this.hasLocal(addr)
    this.#wakeEntries = new WakeEntries({ ...deps, seconds: seconds.wakeEntry, isLocal, onChange })
    this.#list = new ClientList({ ...deps, agents: this.#agents, wakeEntries: this.#wakeEntries })
    const limit = limits.output
    this.#outputs = outputs ? new ClusterOutputs({ store: outputs, limit, log }) : createScriptOutputs(limit)
    const throttledLog = limitLog(log)
    remote?.onReplaced(addr => {
      const agent = this.#agents.get(addr)
      if (agent) this.#remove(agent, 'replaced')
      agent?.close()
    })
    // Which agents are listed may depend on the records.
    events.on(onChange, ['computer-added', 'computer-changed', 'computer-removed'])
    this.#context = {
      timeSlicer: createTimeSlicer(),
      writeBatch: new WriteBatch(),
      acceptedSeconds: seconds.accepted,
      logOf: (addr, kind) => throttledLog(`${addr} ${kind}`),
      limit: limits.request,
      osStates,
      setOutput: (addr, text) => this.#outputs.set(addr, text),
      outputLimit: limit,
      ...createEarlyEvents(events),
      onChange: addr => this.#list.change(addr),
      onEnd: (agent, request, outcome, part) => this.#onEnd(agent, request, outcome, part),
      onReport: (agent, event) => this.#report(agent, event),
      onClose: agent => {
        if (agent.isPresent) this.#remove(agent)
      },
    }
  }

  /** Adds a connection in place of an older one of its address. `firstRequest` returns what the agent is sent first. */
  connect(addr: string, socket: Socket, firstRequest: () => AgentRequest | undefined): void {
    const { events } = this.#deps
    const wasWoken = this.#wakeEntries.remove(addr)
    const older = this.#agents.get(addr)
    const agent = new Agent(addr, socket, this.#context)
    this.#agents.delete(addr)
    this.#agents.set(addr, agent)
    this.#list.change()
    if (older) older.isPresent = false
    older?.close()
    if (older || this.#deps.remote?.has(addr)) events.emit({ type: 'client-replaced', addr })
    else this.#context.logOf(addr, 'connected').info(`agent ${addr}`, 'connected', { event: 'client-connected' })
    events.emit({ type: 'client-connected', addr })
    if (!this.#deps.hasRecord(addr)) events.emit({ type: 'client-pending', addr })
    if (wasWoken) events.emit({ type: 'wake-answered', addr })
    this.#report(agent)
    this.#context.timeSlicer(() => {
      if (!agent.isPresent) return
      agent.isReadyToSend = true
      const request = firstRequest()
      if (!request || !this.#trySend(agent, request, noPart)) this.#setRefreshed(agent)
    })
  }

  /** Sends a request, unless the client is busy and the request does not interrupt. `part` is for its `onEnd`. */
  send(addr: string, request: AgentRequest, part = noPart): 'sent' | 'busy' | 'not connected' {
    const agent = this.#agents.get(addr)
    if (!agent?.isOpen) return 'not connected'
    return this.#trySend(agent, request, part) ? 'sent' : 'busy'
  }

  /** Runs `work`, which sends to many agents; the bytes are written together at its end. */
  batchWrites(work: () => void): void {
    this.#context.writeBatch.run(work)
  }

  /** Whether queued work can be sent: the client is connected, its first refresh has ended, it is not busy nor going down. */
  isReady(addr: string): boolean {
    const agent = this.#agents.get(addr)
    return agent?.isOpen === true && agent.isRefreshed && !agent.request && !agent.confirmations.isWaiting
  }

  /** Whether its computer goes down, as it has said. */
  isLeaving = (addr: string): boolean => this.#agents.get(addr)?.confirmations.isWaiting === true

  clients(): readonly ClientEntry[] {
    return this.#list.list()
  }

  /** The states of this host's agents. */
  states(): string[] {
    return this.#list.states()
  }

  has(addr: string): boolean {
    return this.#agents.has(addr) || this.#deps.remote?.has(addr) === true
  }

  /** Whether the agent is connected to this host. */
  hasLocal(addr: string): boolean {
    return this.#agents.has(addr)
  }

  clientsOf(job: number): string[] {
    return this.#list.clientsOf(job)
  }

  running(): { addr: string; command: string; payload: unknown }[] {
    return this.#list.running()
  }

  addWakeEntry(addr: string, kind?: string): void {
    this.#wakeEntries.add(addr, kind)
  }

  output(addr: string): string | Promise<string> {
    return this.#outputs.get(addr)
  }

  setOutput(addr: string, output: string): Promise<void> | undefined {
    const agent = this.#agents.get(addr)
    return (agent ? agent.setOutput(output) : this.#outputs.set(addr, output)).stored
  }

  clearOutput(addrs: string[]): void | Promise<void> {
    return this.#outputs.delete(addrs)
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
    this.#report(agent)
    return true
  }

  #onEnd(agent: Agent, request: AgentRequest, outcome: AgentOutcome, part: number): void {
    const { addr } = agent
    logEnd(addr, request, outcome, () => this.#context.logOf(addr, 'command'))
    request.onEnd?.(addr, outcome, part)
    this.#deps.events.emit(endEvent(addr, request.command, outcome))
    this.#report(agent)
    if (request.forward.onConnect && agent.isPresent) this.#setRefreshed(agent)
  }

  #setRefreshed(agent: Agent): void {
    agent.isRefreshed = true
    this.#deps.events.emit({ type: 'client-ready', addr: agent.addr })
  }

  /** Emits `event`, if there is one, and `client-state` when the state or status that callers see has changed. */
  #report(agent: Agent, event?: FleetEvent): void {
    if (!agent.isPresent) return
    if (event) this.#deps.events.emit(event)
    const change = agent.state.nextEvent()
    if (change) this.#deps.events.emit(change)
  }

  /** `replaced`: by a connection to another host. */
  #remove(agent: Agent, reason?: 'replaced'): void {
    const { addr } = agent
    agent.isPresent = false
    this.#agents.delete(addr)
    this.#list.change()
    const log = this.#context.logOf(addr, 'disconnected')
    if (reason) log.info(`agent ${addr}`, 'connected to another host, connection to this one closed')
    else log.info(`agent ${addr}`, 'disconnected', { event: 'client-gone' })
    this.#deps.events.emit({ type: 'client-gone', addr, ...(reason && { replaced: true }) })
  }
}
