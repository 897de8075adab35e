// Collects what has changed of this host's agents, for the next write to the fleet's presence.
import type { PresentAgent } from '../../stores/store.ts'
import type { Hello } from '../contract/services.ts'
import type { Events, FleetEvent } from '../system/events.ts'
import type { LocalAgents, LocalPresence } from './cluster.ts'
import type { RemoteAgents } from './remote-agents.ts'

interface PresenceDeps {
  events: Events
  remote: Pick<RemoteAgents, 'setLocal'>
  /** Called when there is something to write; often. */
  onDirty(): void
}

/** One connection of an agent to this host. */
interface Connection {
  /** Its number in the fleet; undefined until it has been written. */
  since: number | undefined
  /** Milliseconds since 1970. */
  connected: number
  session: AgentSession | undefined
  hello: Hello | undefined
}

/** What is to be written, or is being written. */
interface Changes {
  agents: Map<string, Connection>
  gone: Set<string>
}

const noChanges = (): Changes => ({ agents: new Map(), gone: new Set() })

export class Presence implements LocalPresence {
  readonly #deps: PresenceDeps
  /** Oldest connection first. */
  readonly #connections = new Map<string, Connection>()
  #waitingChanges = noChanges()
  /** Since the last `take`. */
  #takenChanges = noChanges()
  #agents: LocalAgents = { find: () => undefined }

  constructor(deps: PresenceDeps) {
    this.#deps = deps
    deps.events.on(
      (event, isRelayed) => {
        if (!isRelayed) this.#update(event)
      },
      ['client-connected', 'client-gone', 'client-hello', ...sessionTypes],
    )
  }

  attach(agents: LocalAgents): void {
    this.#agents = agents
  }

  changed(addr: string): void {
    const connection = this.#connections.get(addr)
    if (!connection) return
    this.#waitingChanges.agents.set(addr, connection)
    this.#deps.onDirty()
  }

  /** Whether an agent of that address is connected to this host. */
  has(addr: string): boolean {
    return this.#connections.has(addr)
  }

  numberOf(addr: string): number | undefined {
    return this.#connections.get(addr)?.since
  }

  /** What has changed since the last call. It counts as written with `setNumbers` and comes again after `putBack`. */
  take(): { agents: PresentAgent[]; gone: string[] } {
    this.#takenChanges = this.#waitingChanges
    this.#waitingChanges = noChanges()
    const agents = Array.from(this.#takenChanges.agents, ([addr, connection]) => this.#presentAgent(addr, connection))
    return { agents: agents.filter(agent => agent !== undefined), gone: [...this.#takenChanges.gone] }
  }

  /** What was taken is stored; `numbers` are those of its connections, by address. */
  setNumbers(numbers: ReadonlyMap<string, number>): void {
    const { agents } = this.#takenChanges
    this.#takenChanges = noChanges()
    for (const [addr, connection] of agents) {
      if (connection.since !== undefined) continue
      connection.since = numbers.get(addr)
      // Otherwise it has ended, or a newer one has replaced it, meanwhile.
      if (connection.since !== undefined && this.#connections.get(addr) === connection) {
        this.#deps.remote.setLocal(addr, connection.since)
      }
    }
  }

  /** What was taken is not stored. */
  putBack(): void {
    const [taken, later] = [this.#takenChanges, this.#waitingChanges]
    this.#takenChanges = noChanges()
    this.#waitingChanges = noChanges()
    for (const [addr, connection] of [...taken.agents, ...later.agents]) {
      if (this.#connections.get(addr) === connection) this.#waitingChanges.agents.set(addr, connection)
    }
    for (const addr of [...taken.gone, ...later.gone]) {
      if (!this.#connections.has(addr)) this.#waitingChanges.gone.add(addr)
    }
    if (this.#isDirty) this.#deps.onDirty()
  }

  /** All agents are to be written again, with the numbers that they have. */
  announceAll(): void {
    for (const [addr, connection] of this.#connections) this.#waitingChanges.agents.set(addr, connection)
    if (this.#isDirty) this.#deps.onDirty()
  }

  get #isDirty(): boolean {
    return this.#waitingChanges.agents.size + this.#waitingChanges.gone.size > 0
  }

  #update(event: FleetEvent): void {
    switch (event.type) {
      case 'client-connected':
        return this.#connect(event.addr)
      case 'client-gone':
        return this.#disconnect(event.addr)
      case 'client-hello':
        return this.#set(event.addr, { hello: event.hello })
    }
    if (isSessionEvent(event)) this.#set(event.addr, { session: sessionAfter(event) })
  }

  #connect(addr: string): void {
    const connection = { since: undefined, connected: Date.now(), session: undefined, hello: undefined }
    this.#connections.delete(addr)
    this.#connections.set(addr, connection)
    this.#waitingChanges.gone.delete(addr)
    // To the end: connections are numbered in the order in which they are written.
    this.#waitingChanges.agents.delete(addr)
    this.#deps.remote.setLocal(addr, Number.POSITIVE_INFINITY)
    this.changed(addr)
  }

  #disconnect(addr: string): void {
    this.#connections.delete(addr)
    this.#waitingChanges.agents.delete(addr)
    this.#waitingChanges.gone.add(addr)
    this.#deps.remote.setLocal(addr, undefined)
    this.#deps.onDirty()
  }

  #set(addr: string, values: Partial<Connection>): void {
    Object.assign(this.#connections.get(addr) ?? {}, values)
    this.changed(addr)
  }

  #presentAgent(addr: string, connection: Connection): PresentAgent | undefined {
    const agent = this.#agents.find(addr)
    if (!agent) return undefined
    const { state, status = '', speed = 0, last_cmd } = agent.entry
    const { since, connected, session, hello } = connection
    const details: AgentDetails = {
      ...(session && { session }),
      ...(hello && { hello }),
      ...(agent.request && { request: toRequestDetails(agent.request) }),
    }
    return { addr, since, connected, state, status, speed, result: last_cmd.result, details: { ...details } }
  }
}

/** Somebody is logged in; the agent may not say who. */
export interface AgentSession {
  user?: string
  locked?: true
}

/** The events that change it. */
export const sessionTypes = ['session-login', 'session-logout', 'session-lock'] as const

type SessionEvent = Extract<FleetEvent, { type: (typeof sessionTypes)[number] }>

export const isSessionEvent = (event: FleetEvent): event is SessionEvent =>
  sessionTypes.some(type => type === event.type)

/** Undefined when nobody is logged in any more. */
export function sessionAfter(event: SessionEvent): AgentSession | undefined {
  if (event.type === 'session-logout') return undefined
  const isLocked = event.type === 'session-lock' && event.locked
  return { ...(event.user !== undefined && { user: event.user }), ...(isLocked && { locked: true }) }
}

interface AgentDetails {
  session?: AgentSession
  hello?: Hello
  /** `payload` has only the short values. */
  request?: { command: string; payload: Record<string, unknown> }
}

/** Characters: the names of files and computers. */
const shortText = 255

/** The request without lists, objects and long texts: a payload may name thousands of clients. */
function toRequestDetails({ command, payload }: { command: string; payload: unknown }): AgentDetails['request'] {
  const values = payload instanceof Object ? Object.entries(payload).filter(([, value]) => isShort(value)) : []
  return { command, payload: Object.fromEntries(values) }
}

const isShort = (value: unknown) =>
  typeof value === 'string' ? value.length <= shortText : typeof value === 'number' || typeof value === 'boolean'

/** The details of another host's agent. */
export function detailsOf({ details }: { details: Record<string, unknown> }): AgentDetails {
  // `as`: they are written by hosts of this fleet only, from the type above.
  return details as AgentDetails
}
