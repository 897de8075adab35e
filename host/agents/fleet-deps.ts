// What the fleet depends on.
import type { LocalPresence, RemoteClients, SharedOutputs } from '../cluster/cluster.ts'
import type { Limits } from '../contract/services.ts'
import type { Log } from '../log/log.ts'
import type { Events } from '../system/events.ts'

export interface FleetDeps {
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
  /** Shorter times for tests. */
  seconds?: typeof defaultSeconds
}

/**
 * `wakeEntry`: from the last wake-up to the end of the wake-up entry. `accepted`: from a reply 202 to the end of that
 * request.
 */
export const defaultSeconds = { wakeEntry: 60, accepted: 30 }
