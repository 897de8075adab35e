// What an agent is sent, and how its answer is read.

import type { Forward } from '../command.ts'
import type { Client } from '../services.ts'

/** One command for any number of agents: encoded once, with all that an agent needs to know of the module behind it. */
export interface AgentRequest
  extends Pick<Forward, 'whileBusy' | 'showsBusy' | 'expectsReply' | 'endsOnClose' | 'endsOn202' | 'onConnect'> {
  /** The command's name. */
  command: string
  /** The accepted payload. */
  payload: unknown
  bytes: Buffer
  /** Seconds. */
  deadline: number
  /** Why a body does not fit the command, undefined when it fits; absent where no body is expected. */
  checkReply?(reply: unknown): string | undefined
  /** Stores a body that fits; `false`: the address has no computer record. */
  onReply?(reply: unknown, client: Client): Promise<boolean | void>
  /** Is told once how the command ended on each agent that it was sent to; `part`: what the sender gave with it. */
  onEnd?(addr: string, ending: AgentOutcome, part: number): void
}

/** How a command ended on one client. */
export interface AgentOutcome {
  result: 'success' | 'failure'
  reason?: string
  /** Whether the agent has said anything to it. */
  answered: boolean
  /** What its script printed. */
  output?: string
  /** Its deadline was missed. */
  overdue?: true
}

export const success: AgentOutcome = { result: 'success', answered: true }
export const failure = (reason: string, answered = false): AgentOutcome => ({ result: 'failure', reason, answered })

/** Reads a body for an order; `owing`: the agent still owes an earlier answer, which may be this one. */
export function parseReply(order: AgentRequest, body: string, owing: boolean): { reply: unknown } | { misfit: string } {
  let reply: unknown
  try {
    reply = JSON.parse(body)
  } catch {
    return { misfit: `the body is not JSON, got ${JSON.stringify(body.slice(0, 40))}` }
  }
  const misfit = order.checkReply ? order.checkReply(reply) : owing ? 'no body is expected' : undefined
  return misfit === undefined ? { reply } : { misfit }
}

export interface SessionEvent {
  action: 'start' | 'stop'
  user?: string
}

/** Reads the body of a 103, by which an agent tells of a login (`start`) or logout (`stop`). */
export function parseSessionEvent(body: string | undefined): SessionEvent | undefined {
  let told: unknown
  try {
    told = JSON.parse(body ?? '')
  } catch {
    return undefined
  }
  if (!(told instanceof Object && 'event' in told && 'action' in told) || told.event !== 'session') return undefined
  const { action } = told
  if (action !== 'start' && action !== 'stop') return undefined
  return 'user' in told && typeof told.user === 'string' ? { action, user: told.user } : { action }
}
