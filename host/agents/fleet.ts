// The agents by address, the wake-up entries beside them, and who is skipped.
import type { Socket } from 'node:net'
import type { ClientEntry, FleetService, Limits } from '../services.ts'
import type { Events } from '../system/events.ts'
import type { Log } from '../system/log.ts'
import { createTimeSlicer } from '../system/time-slices.ts'
import { Agent, type AgentContext, lastCommands } from './agent.ts'
import type { AgentOutcome, AgentRequest, SessionEvent } from './agent-request.ts'
import { createWriteBatch } from './write-batch.ts'

export interface FleetDeps {
  log: Log
  events: Events
  limits: Limits
  /** Option `rest.os_states`. */
  osStates: boolean
  /** What each agent is sent when it has connected. */
  connectCommand(addr: string): AgentRequest | undefined
  /** Instead of the usual ones, for tests. */
  seconds?: typeof usualSeconds
}

/**
 * Seconds that a wake-up entry outlasts its last wake-up, and that a command which an agent has accepted with 202
 * stays its client's last command.
 */
const usualSeconds = { wakeEntry: 60, accepted: 30 }

/** The number of a part where there is none. */
const none = -1

export class Fleet implements FleetService {
  readonly #parts: FleetDeps
  readonly #seconds: typeof usualSeconds
  readonly #context: AgentContext
  // Both in the order of time: a connection or wake-up that is renewed moves to the end.
  readonly #agents = new Map<string, Agent>()
  readonly #wakes = new Map<string, NodeJS.Timeout>()
  // By address, so that an output survives a reconnect.
  readonly #outputs = new Map<string, string>()
  /** What callers are told, until something of it changes. */
  #clients: readonly ClientEntry[] | undefined

  constructor(parts: FleetDeps) {
    this.#parts = parts
    this.#seconds = parts.seconds ?? usualSeconds
    this.#context = {
      timeSlicer: createTimeSlicer(),
      writeBatch: createWriteBatch(),
      acceptedSeconds: this.#seconds.accepted,
      log: parts.log,
      limits: parts.limits,
      onChange: () => {
        this.#clients = undefined
      },
      onEnd: (agent, order, ending, part) => this.#ended(agent, order, ending, part),
      onSession: (agent, session) => this.#session(agent, session),
      onClose: agent => this.#gone(agent),
    }
  }

  /** Takes a new connection; an agent is known by its address, so an older connection of it is over. */
  connect(addr: string, socket: Socket): void {
    const { log, events, connectCommand: welcome } = this.#parts
    const woken = this.#forgetWake(addr)
    const older = this.#agents.get(addr)
    const agent = new Agent(addr, socket, this.#context)
    this.#agents.delete(addr)
    this.#agents.set(addr, agent)
    this.#clients = undefined
    older?.close()
    log.info(`agent ${addr}`, older ? 'connected again, the older connection is closed' : 'connected')
    events.emit({ type: 'client-connected', addr })
    if (woken) events.emit({ type: 'wake-answered', addr })
    this.#emitStateChange(agent)
    this.#context.timeSlicer(() => {
      if (this.#agents.get(addr) !== agent) return
      agent.isReadyToSend = true
      const order = welcome(addr)
      if (!order || !this.#trySend(agent, order, none)) this.#ready(agent)
    })
  }

  /**
   * Sends an order to a client, unless it has a command running that the order does not end. `part` is told again when
   * the order has ended there.
   */
  send(addr: string, order: AgentRequest, part = none): 'sent' | 'busy' | 'not connected' {
    const agent = this.#agents.get(addr)
    if (!agent?.isOpen) return 'not connected'
    return this.#trySend(agent, order, part) ? 'sent' : 'busy'
  }

  /** Does work that sends to many; all of it goes out in one go, when the work is done. */
  batchWrites(work: () => void): void {
    this.#context.writeBatch.run(work)
  }

  /** Whether a client can be given queued work: connected, past its first refresh, nothing running. */
  isReady(addr: string): boolean {
    const agent = this.#agents.get(addr)
    return agent?.isOpen === true && agent.refreshed && agent.request === undefined
  }

  clients(): readonly ClientEntry[] {
    this.#clients ??= Object.freeze(this.#list())
    return this.#clients
  }

  #list(): ClientEntry[] {
    const { osStates } = this.#parts
    const wakes = [...this.#wakes.keys()].map(addr => waking(addr))
    const agents = [...this.#agents.values()].map(agent => agent.entry(osStates))
    return [...wakes.reverse(), ...agents.reverse()]
  }

  has(addr: string): boolean {
    return this.#agents.has(addr)
  }

  running(): { addr: string; command: string; sent: unknown }[] {
    return [...this.#agents.values()].flatMap(({ addr, request: order }) =>
      order ? [{ addr, command: order.command, sent: order.payload }] : [],
    )
  }

  addWakeEntry(addr: string): void {
    this.#forgetWake(addr)
    const { events } = this.#parts
    const over = () => {
      this.#forgetWake(addr)
      events.emit({ type: 'wake-timed-out', addr })
    }
    this.#wakes.set(addr, setTimeout(over, this.#seconds.wakeEntry * 1000).unref())
    events.emit({ type: 'wake-sent', addr })
  }

  output(addr: string): string {
    return this.#outputs.get(addr) ?? ''
  }

  setOutput(addr: string, output: string): void {
    const first = output.slice(0, this.#parts.limits.output)
    // Half of a surrogate pair is no character.
    const whole = first.length < output.length ? first.replace(/[\ud800-\udbff]$/, '') : first
    this.#outputs.set(addr, whole)
    this.#agents.get(addr)?.keepOutput(whole)
  }

  clearOutput(addrs: string[]): void {
    for (const addr of addrs) this.#outputs.delete(addr)
  }

  close(): void {
    for (const addr of this.#wakes.keys()) this.#forgetWake(addr)
    for (const agent of this.#agents.values()) agent.close('daemon ended')
  }

  #trySend(agent: Agent, order: AgentRequest, part: number): boolean {
    if (!agent.takes(order)) return false
    // Told before it is written: an order that agents never answer may end while it is sent.
    this.#parts.events.emit({ type: 'command-sent', addr: agent.addr, command: order.command })
    agent.send(order, part)
    this.#emitStateChange(agent)
    return true
  }

  #ended(agent: Agent, order: AgentRequest, ending: AgentOutcome, part: number): void {
    const { log, events } = this.#parts
    const { addr } = agent
    const { result, reason, overdue } = ending
    if (reason !== undefined) log.warn(`agent ${addr}`, `${order.command} failed: ${reason}`)
    order.onEnd?.(addr, ending, part)
    const told = { ...(reason !== undefined && { reason }), ...(overdue && { overdue }) }
    events.emit({ type: 'command-ended', addr, command: order.command, result, ...told })
    this.#emitStateChange(agent)
    if (order.onConnect && this.#agents.get(addr) === agent) this.#ready(agent)
  }

  #ready(agent: Agent): void {
    agent.refreshed = true
    this.#parts.events.emit({ type: 'client-ready', addr: agent.addr })
  }

  #session(agent: Agent, { action, user }: SessionEvent): void {
    if (this.#agents.get(agent.addr) !== agent) return
    const type = action === 'start' ? 'session-login' : 'session-logout'
    this.#parts.events.emit({ type, addr: agent.addr, ...(user !== undefined && { user }) })
    this.#emitStateChange(agent)
  }

  /** Tells how callers see an agent, when that has changed. */
  #emitStateChange(agent: Agent): void {
    const { addr, status } = agent
    const state = agent.state(this.#parts.osStates)
    const { current } = status
    if ((state === agent.shownState && current === agent.shownStatus) || this.#agents.get(addr) !== agent) return
    agent.shownState = state
    agent.shownStatus = current
    this.#parts.events.emit({ type: 'client-state', addr, state, status: current })
  }

  #gone(agent: Agent): void {
    const { log, events } = this.#parts
    if (this.#agents.get(agent.addr) !== agent) return
    this.#agents.delete(agent.addr)
    this.#clients = undefined
    log.info(`agent ${agent.addr}`, 'gone')
    events.emit({ type: 'client-gone', addr: agent.addr })
  }

  /** Whether there was an entry. */
  #forgetWake(addr: string): boolean {
    clearTimeout(this.#wakes.get(addr))
    this.#clients = undefined
    return this.#wakes.delete(addr)
  }
}

const waking = (addr: string): ClientEntry => Object.freeze({ addr, state: 'WOL_SENT', last_cmd: lastCommands.unknown })
