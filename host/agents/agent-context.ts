// What the fleet depends on, and what all its agents share: limits, what they work with, and what they report to.
import type { LocalPresence, RemoteClients, SharedOutputs } from '../cluster/cluster.ts'
import type { Limits } from '../config/options.ts'
import type { Log } from '../log/log.ts'
import type { Events, FleetEvent } from '../system/events.ts'
import type { TimeSlicer } from '../system/time-slices.ts'
import type { AgentOutcome, AgentRequest } from './agent-request.ts'
import type { WriteBatch } from './connection/write-batch.ts'
import type { Deadlines } from './deadlines.ts'
import type { ReplyClientContext } from './reply-client.ts'
import type { ScriptOutput } from './script-outputs.ts'

export interface AgentContext<Agent> extends ReplyClientContext {
  limits: Limits
  /** Limits the agent input that is processed per event-loop tick. */
  timeSlicer: TimeSlicer
  writeBatch: WriteBatch
  deadlines: Deadlines
  /** Option `rest.os_states`. */
  osStates: boolean
  /** Seconds until a request that the agent accepted with 202 ends. */
  acceptedSeconds: number
  /** What the last script on the address printed. */
  outputOf(addr: string): ScriptOutput
  onEnd(agent: Agent, request: AgentRequest, outcome: AgentOutcome, part: number): void
  /** The agent's entry has changed. */
  onChange(addr: string): void
  /** A login, logout or introduction; the status is already that of the session. Undefined for a repeated event. */
  onReport(agent: Agent, event: FleetEvent | undefined): void
  onClose(agent: Agent): void
}

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
