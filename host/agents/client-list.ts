// The list of `GET /clients`: which agents are in it, and in which sequence.
import type { ClientEntry, Limits } from '../services.ts'
import type { Agent } from './agent.ts'

export interface ClientListDeps {
  limits: Limits
  /** Whether the address has a computer record. */
  hasRecord(addr: string): boolean
}

/** Bytes of an entry with the longest values, as JSON. */
const entryBytes = 120

/**
 * Expects the latest wake-up and the oldest agent first. Agents without a computer record are left out, the latest
 * first, when the list would pass the limit of a response.
 */
export function listClients(wakeEntries: ClientEntry[], agents: Agent[], deps: ClientListDeps): ClientEntry[] {
  const maxAgents = Math.floor(deps.limits.response / entryBytes) - wakeEntries.length
  const listed = agents.length <= maxAgents ? agents : firstAgents(agents, maxAgents, deps)
  return [...wakeEntries, ...listed.map(({ state }) => state.entry).reverse()]
}

/** All agents with a record, and as many others as there is space for. */
function firstAgents(agents: Agent[], count: number, { hasRecord }: ClientListDeps): Agent[] {
  let remaining = count - agents.filter(({ addr }) => hasRecord(addr)).length
  return agents.filter(({ addr }) => {
    if (hasRecord(addr)) return true
    remaining -= 1
    return remaining >= 0
  })
}
