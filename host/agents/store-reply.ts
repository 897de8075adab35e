// Checks the reply of an agent, has the command store it, and makes an outcome of the result.
import type { Awaitable } from '../contract/command.ts'
import type { Client } from '../contract/services.ts'
import { type Log, message } from '../log/log.ts'
import { cutText, toPrintable } from '../log/shown-text.ts'
import { type AgentOutcome, type AgentRequest, failure, success } from './agent-request.ts'
import type { ClientState } from './client-state.ts'
import type { PendingRequest } from './pending-request.ts'
import type { StoredOutput } from './script-outputs.ts'

/** The agent that has replied. */
export interface RepliedAgent {
  readonly addr: string
  readonly state: ClientState
  /** The log for lines of one kind about it; it throttles them. */
  logOf(kind: string): Log
  setOutput(text: string): StoredOutput
}

/** A reply to be stored. */
interface Reply {
  agent: RepliedAgent
  pending: PendingRequest
  status: number
  body: unknown
}

/** Characters of what an agent says of a failure. */
const reasonLength = 200

/** A failure, unless the agent just does not have what it was asked for. */
export function refusalOutcome(request: AgentRequest, status: number, reply: unknown): AgentOutcome {
  const reason = refusalReason(request, status, reply)
  const isFailure = !request.forward.unsupported?.includes(status)
  return isFailure ? failure(reason, true) : { ...success, reason }
}

/** The reason of a failure: the status, and what the agent says of it, else what the command knows of that status. */
function refusalReason({ forward }: AgentRequest, status: number, reply: unknown): string {
  const own: unknown = reply instanceof Object ? Reflect.get(reply, 'reason') : undefined
  const reason = typeof own === 'string' ? toPrintable(own, reasonLength) : ''
  const detail = reason || forward.statusReasons?.[status]
  return detail === undefined ? `agent replied ${status}` : `agent replied ${status}: ${detail}`
}

/**
 * Parses and checks the body of a reply. With `mayBeStale` a body is also rejected where the request expects none: it
 * may be the late reply to an earlier request.
 */
export function parseReply(
  request: AgentRequest,
  body: string,
  mayBeStale: boolean,
): { reply?: unknown; mismatch?: string | undefined } {
  let reply: unknown
  try {
    reply = JSON.parse(body)
  } catch {
    return { mismatch: `body: expected JSON, got ${JSON.stringify(body.slice(0, 40))}` }
  }
  const mismatch = request.checkReply ? request.checkReply(reply) : mayBeStale ? 'body: expected none' : undefined
  return { reply, mismatch }
}

type Stored = Awaited<ReturnType<NonNullable<AgentRequest['onReply']>>>

/** A promise only where there is something to wait for, as thousands of agents reply at once. Never rejects. */
export function storeReply(reply: Reply): Awaitable<AgentOutcome> {
  const { pending, body } = reply
  try {
    const stored = pending.request.onReply?.(body, new ReplyClient(reply))
    if (isPromise(stored) || pending.output?.stored) return awaitStored(reply, stored)
    return outcomeOf(reply, stored)
  } catch (error) {
    return outcomeOfError(reply, error)
  }
}

/** Its functions are getters: commands may destructure it, and of thousands of replies most use only one. */
class ReplyClient implements Client {
  readonly #reply: Reply

  constructor(reply: Reply) {
    this.#reply = reply
  }

  get addr(): string {
    return this.#reply.agent.addr
  }

  get setStatus(): Client['setStatus'] {
    return word => {
      const { agent, pending } = this.#reply
      pending.statusReported = true
      if (agent.state.report(word)) return
      const text = `unknown status ${JSON.stringify(cutText(word, 40))}`
      agent.logOf('status').warn(`agent ${agent.addr}`, text)
    }
  }

  get setSpeed(): Client['setSpeed'] {
    return mbit => this.#reply.agent.state.setSpeed(mbit)
  }

  get setOutput(): Client['setOutput'] {
    return text => {
      const { agent, pending } = this.#reply
      // Not of a request that another one has interrupted.
      if (pending.state === 'storing') agent.setOutput(text)
    }
  }
}

async function awaitStored(reply: Reply, storing: Awaitable<Stored>): Promise<AgentOutcome> {
  try {
    const stored = await storing
    await reply.pending.output?.stored
    return outcomeOf(reply, stored)
  } catch (error) {
    return outcomeOfError(reply, error)
  }
}

function outcomeOf({ agent, pending, status }: Reply, stored: Stored): AgentOutcome {
  // A status in the reply itself takes precedence.
  if (!pending.statusReported && status !== 202) agent.state.clearAgentBusy()
  if (stored === false) {
    const text = `${pending.request.command}: reply not stored, no computer record`
    agent.logOf('stored').info(`agent ${agent.addr}`, text)
  }
  // A site's command may return anything.
  const failed = typeof stored === 'object' && stored?.result === 'failure'
  return failed ? failure(String(stored.reason), true) : success
}

function outcomeOfError({ agent, pending }: Reply, error: unknown): AgentOutcome {
  agent.logOf('stored').error(`agent ${agent.addr}`, `${pending.request.command}: reply not stored`, error)
  return failure(`reply not stored: ${message(error)}`, true)
}

/** Also of a site's own class. */
const isPromise = (stored: Awaitable<Stored>): stored is Promise<Stored> =>
  typeof stored === 'object' && stored !== null && 'then' in stored
