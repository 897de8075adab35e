// The list of `GET /clients`: which agents are in it, and in which sequence.
import type { RemoteClient } from '../cluster/cluster.ts'
import type { Limits } from '../config/options.ts'
import type { ClientEntry } from '../contract/services.ts'
import { freeze } from '../system/frozen.ts'
import type { Agent } from './agent.ts'
import { lastCommands } from './client-state.ts'

export interface ClientListDeps {
  limits: Limits
  /** Whether the address has a computer record. */
  hasRecord(addr: string): boolean
}

/** Bytes of an entry with the longest values, as JSON. */
const entryBytes = 120

/**
 * Expects the latest wake-up and the latest connection first. Clients without a computer record are left out, the latest
 * first, when the list would pass the limit of a response.
 */
export function listClients(wakeEntries: ClientEntry[], clients: ClientEntry[], deps: ClientListDeps): ClientEntry[] {
  const maxClients = Math.floor(deps.limits.response / entryBytes) - wakeEntries.length
  const listed = clients.length <= maxClients ? clients : firstClients(clients, maxClients, deps)
  return [...wakeEntries, ...listed]
}

/** All clients with a record, and as many others as there is space for. */
function firstClients(clients: ClientEntry[], count: number, { hasRecord }: ClientListDeps): ClientEntry[] {
  let remaining = count - clients.filter(({ addr }) => hasRecord(addr)).length
  const listed = clients.toReversed().filter(({ addr }) => {
    if (hasRecord(addr)) return true
    remaining -= 1
    return remaining >= 0
  })
  return listed.reverse()
}

/** The entries of agents that are given with the oldest connection first. */
export const entriesOf = (agents: Iterable<Agent>): ClientEntry[] =>
  Array.from(agents, ({ state }) => state.entry).reverse()

/** Merges this host's entries with other hosts' clients. `numberOf` is undefined for connections that are newer than all others. */
export function mergeClients(
  entries: ClientEntry[],
  remote: readonly RemoteClient[],
  numberOf: (addr: string) => number | undefined,
): ClientEntry[] {
  const merged: ClientEntry[] = []
  let next = 0
  for (const client of remote) {
    for (
      let entry = entries[next];
      entry && (numberOf(entry.addr) ?? client.since) >= client.since;
      entry = entries[next]
    ) {
      merged.push(entry)
      next += 1
    }
    merged.push(entryOf(client))
  }
  return [...merged, ...entries.slice(next)]
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
