// What an agent is sent, and how that ends.
import type { Forward, ReplyFailure } from '../command.ts'
import type { Client } from '../services.ts'

/** One command for any number of agents. It is encoded once and carries everything that an agent needs to know of it. */
export interface AgentRequest
  extends Pick<
    Forward,
    'whileBusy' | 'showsBusy' | 'expectsReply' | 'endsOnClose' | 'endsOn202' | 'onConnect' | 'statusReasons'
  > {
  /** The command's name. */
  command: string
  /** The accepted payload. */
  payload: unknown
  bytes: Buffer
  /** Seconds until the request fails without a reply. */
  deadline: number
  /** Returns why a reply's body breaks the command's schema. Absent: the command expects no body. */
  checkReply?(reply: unknown): string | undefined
  /** Stores a valid reply. Resolves to `false` when the address has no computer record, or to the client's failure. */
  onReply?(reply: unknown, client: Client): Promise<boolean | void | ReplyFailure>
  /** Called once for each agent to which the request was sent; `part` is the number that was passed to `Fleet.send`. */
  onEnd?(addr: string, outcome: AgentOutcome, part: number): void
}

/** How a request ended on one agent. */
export interface AgentOutcome {
  result: 'success' | 'failure'
  reason?: string
  /** Whether the agent has replied. */
  answered: boolean
  /** What the script printed. */
  output?: string
  /** The deadline has passed. */
  overdue?: true
}

export const success: AgentOutcome = { result: 'success', answered: true }
export const failure = (reason: string, answered = false): AgentOutcome => ({ result: 'failure', reason, answered })
