// What an agent is sent, and how that ends.
import type { Awaitable, ReplyFailure } from '../contract/command.ts'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import type { Client } from '../contract/services.ts'
import type { Log } from '../log/log.ts'
import type { FleetEvent } from '../system/events.ts'

/** One step of a job; the id is 0 until the job is stored. */
export interface StepOfJob {
  job: { readonly id: number }
  /** In the job's steps. */
  index: number
}

/** One command for any number of agents. It is encoded once and carries everything that an agent needs to know of it. */
export interface AgentRequest {
  /** The command's name. */
  command: string
  forward: Omit<NonNullable<LoadedCommand['command']['forward']>, 'to'>
  /** Who has sent it, of what stops a job. */
  by?: string | undefined
  /** The accepted payload. */
  payload: unknown
  bytes: Buffer
  /** Seconds until the request fails without a reply. */
  deadline: number
  /** For agents that have said that they know all these keys of the body; `watch` is in place of the other one. */
  extended?: (Pick<AgentRequest, 'bytes' | 'deadline' | 'watch'> & { keys: readonly string[] }) | undefined
  /** Absent of what belongs to no job. */
  step?: StepOfJob | undefined
  /** Returns why a reply's body breaks the command's schema. Absent: the command expects no body. */
  checkReply?(reply: unknown): string | undefined
  /** Stores a valid reply; returns `false` when the address has no computer record, or the client's failure. */
  onReply?(reply: unknown, client: Client): Awaitable<boolean | void | ReplyFailure>
  /** Begins to watch an agent that is sent the request. */
  watch?: ((addr: string) => RequestWatch) | undefined
  /** Called for each agent that is about to be sent the request; returns why it must not be. */
  beforeSend?: ((addr: string) => string | undefined) | undefined
  /** Called once for each agent to which the request was sent; `part` is the number that was passed to `Agents.send`. */
  onEnd?(addr: string, outcome: AgentOutcome, part: number): void
}

/** Watches what one client does while it works on a request. */
export interface RequestWatch {
  /** Called when the agent has replied, and before its reply is stored: the outcome to which the reply leads. */
  judge(): Promise<Pick<AgentOutcome, 'result' | 'reason'>>
  /** Called once, when the request has ended. */
  end(): void
}

/** How a request ended on one agent. */
export interface AgentOutcome {
  result: 'success' | 'failure'
  /** Why it failed, or why a success could not be confirmed. */
  reason?: string | undefined
  /** Whether the agent has replied. */
  answered: boolean
  /** What the script printed. */
  output?: string
  /** The deadline has passed. */
  overdue?: true
  /** The client is free, but what it was sent ends by closing the connection: resolves when it has, or has not in time. */
  end?: Promise<AgentOutcome>
}

/** Calls `record` with an outcome that is final, now or later. */
export function whenFinal(outcome: AgentOutcome, record: (outcome: AgentOutcome) => void): void {
  if (outcome.end) void outcome.end.then(record)
  else record(outcome)
}

export const stillConnected = 'its agent is still connected'

export const success: AgentOutcome = { result: 'success', answered: true }
export const failure = (reason: string, answered = false): AgentOutcome => ({ result: 'failure', reason, answered })

/** Without a spread where there is none, because thousands of agents succeed at once. */
export function endEvent(addr: string, command: string, { result, reason, overdue }: AgentOutcome): FleetEvent {
  const event = { type: 'command-ended', addr, command, result } as const
  return reason === undefined ? event : { ...event, reason, ...(overdue && { overdue }) }
}

/** A line for what has failed, and for what the agent does not have. */
export function logEnd(
  addr: string,
  { command, forward }: AgentRequest,
  { result, reason }: AgentOutcome,
  log: () => Log,
): void {
  if (result === 'failure')
    log().warn(`agent ${addr}`, `${command} failed: ${reason}`, { event: 'command-failed', command, reason })
  else if (forward.unsupported && reason !== undefined) log().info(`agent ${addr}`, `${command}: ${reason}`)
}
