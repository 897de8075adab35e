// The clients of the whole fleet as callers see them: wake-up entries, this host's agents, and those of other hosts.
import { detailsOf } from '../cluster/agent-details.ts'
import type { LocalAgents, LocalPresence, RemoteClient, RemoteClients } from '../cluster/cluster.ts'
import type { ClientEntry } from '../contract/services.ts'
import { freeze } from '../system/frozen.ts'
import type { Agent } from './agent.ts'
import { type ClientListDeps, entriesOf, listClients, mergeClients } from './client-list.ts'
import type { WakeEntries } from './wake-entries.ts'

export interface ListedClientsDeps extends ClientListDeps {
  /** Oldest connection first. */
  agents: ReadonlyMap<string, Agent>
  wakeEntries: WakeEntries
  /** Absent in a daemon that runs alone. */
  remote?: RemoteClients
  presence?: LocalPresence
}

const nobody: readonly RemoteClient[] = []

export class ListedClients implements LocalAgents {
  readonly #deps: ListedClientsDeps
  /** The list that callers get, until something in it changes. */
  #list: readonly ClientEntry[] | undefined
  /** The other hosts' clients in that list. */
  #remote: readonly RemoteClient[] = nobody

  constructor(deps: ListedClientsDeps) {
    this.#deps = deps
    deps.presence?.attach(this)
  }

  /** What is listed has changed, or the agent of this address. */
  change(addr?: string): void {
    this.#list = undefined
    if (addr !== undefined) this.#deps.presence?.changed(addr)
  }

  list(): readonly ClientEntry[] {
    const { agents, wakeEntries, presence } = this.#deps
    const remote = this.#remoteClients
    if (this.#list && this.#remote === remote) return this.#list
    const own = entriesOf(agents.values())
    const clients = presence ? mergeClients(own, remote, addr => presence.numberOf(addr)) : own
    this.#remote = remote
    this.#list = freeze(listClients(wakeEntries.list(), clients, this.#deps))
    return this.#list
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
