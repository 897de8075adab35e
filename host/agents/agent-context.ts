// What all agents share: limits, what they work with, and what they report to.
import type { Limits } from '../contract/services.ts'
import type { FleetEvent } from '../system/events.ts'
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
