// The clients of all hosts as callers see them: wake-up entries, this host's agents, and those of other hosts.
import type { LocalAgents, LocalPresence, RemoteClient, RemoteClients } from '../cluster/cluster.ts'
import { detailsOf } from '../cluster/presence.ts'
import type { Limits } from '../config/options.ts'
import type { ClientEntry } from '../contract/services.ts'
import { freeze } from '../system/frozen.ts'
import type { Agent } from './agent.ts'
import { lastCommands } from './client-state.ts'
import type { WakeEntries } from './wake-entries.ts'

interface ClientListDeps {
  limits: Limits
  /** Whether the address has a computer record. */
  hasRecord(addr: string): boolean
  /** Oldest connection first. */
  agents: ReadonlyMap<string, Agent>
  wakeEntries: WakeEntries
  /** Absent in a daemon that runs alone. */
  remote?: RemoteClients
  presence?: LocalPresence
}

/** Bytes of an entry with the longest values, as JSON. */
const entryBytes = 120

const nobody: readonly RemoteClient[] = []

export class ClientList implements LocalAgents {
  readonly #deps: ClientListDeps
  /** The list that callers get, until something in it changes. */
  #list: readonly ClientEntry[] | undefined
  /** The other hosts' clients in that list. */
  #remote: readonly RemoteClient[] = nobody

  constructor(deps: ClientListDeps) {
    this.#deps = deps
    deps.presence?.attach(this)
  }

  /** What is listed has changed, or the agent of this address. */
  change(addr?: string): void {
    this.#list = undefined
    if (addr !== undefined) this.#deps.presence?.changed(addr)
  }

  /** The clients of this host that are running a part of the job. */
  clientsOf(job: number): string[] {
    return [...this.#deps.agents.values()].flatMap(({ addr, request }) => (request?.step?.job.id === job ? [addr] : []))
  }

  list(): readonly ClientEntry[] {
    const { agents, wakeEntries, limits } = this.#deps
    const remote = this.#remoteClients
    if (this.#list && this.#remote === remote) return this.#list
    const own = Array.from(agents.values(), ({ state }) => state.entry).reverse()
    const clients = remote.length === 0 ? own : this.#merge(own, remote)
    const first = wakeEntries.list()
    const maxClients = Math.floor(limits.response / entryBytes) - first.length
    this.#remote = remote
    this.#list = freeze([...first, ...(clients.length <= maxClients ? clients : this.#cut(clients, maxClients))])
    return this.#list
  }

  /** The latest connection first. */
  #merge(own: ClientEntry[], remote: readonly RemoteClient[]): ClientEntry[] {
    const { presence } = this.#deps
    // A connection that has no number yet is newer than all others.
    const since = new Map(own.map(entry => [entry, presence?.numberOf(entry.addr) ?? Number.MAX_SAFE_INTEGER]))
    for (const client of remote) since.set(entryOf(client), client.since)
    return [...since].sort(([, a], [, b]) => b - a).map(([entry]) => entry)
  }

  /** All clients with a record, and of the others as many as there is space for, the oldest first. */
  #cut(clients: ClientEntry[], count: number): ClientEntry[] {
    const { hasRecord } = this.#deps
    let remaining = count - clients.filter(({ addr }) => hasRecord(addr)).length
    const listed = clients.toReversed().filter(({ addr }) => {
      if (hasRecord(addr)) return true
      remaining -= 1
      return remaining >= 0
    })
    return listed.reverse()
  }

  running(): { addr: string; command: string; payload: unknown }[] {
    const own = Array.from(this.#deps.agents.values(), ({ addr, request }) => ({ addr, request }))
    const others = this.#remoteClients.map(client => ({ addr: client.addr, request: detailsOf(client).request }))
    return [...own, ...others].flatMap(({ addr, request }) =>
      request ? [{ addr, command: request.command, payload: request.payload }] : [],
    )
  }

  /** The states of this host's agents. */
  states(): string[] {
    return Array.from(this.#deps.agents.values(), ({ state }) => state.entry.state)
  }

  find(addr: string): ReturnType<LocalAgents['find']> {
    const agent = this.#deps.agents.get(addr)
    return agent && { entry: agent.state.entry, request: agent.request }
  }

  get #remoteClients(): readonly RemoteClient[] {
    return this.#deps.remote?.list() ?? nobody
  }
}

/** So that the JSON of clients that have not changed is used again. */
const remoteEntries = new WeakMap<RemoteClient, ClientEntry>()

function entryOf(client: RemoteClient): ClientEntry {
  const known = remoteEntries.get(client)
  if (known) return known
  const { addr, state, speed, result, status } = client
  const entry = freeze({ addr, state, speed, last_cmd: lastCommands[result], status })
  remoteEntries.set(client, entry)
  return entry
}
