// Has the command store an agent's reply, and makes an outcome of the result.
import type { Awaitable } from '../contract/command.ts'
import { message } from '../log/log.ts'
import { type AgentOutcome, type AgentRequest, failure, success } from './agent-request.ts'
import type { PendingRequest } from './pending-request.ts'
import { type RepliedAgent, ReplyClient, type ReplyClientContext } from './reply-client.ts'

/** A reply to be stored, of one agent. */
export interface StoredReply {
  agent: RepliedAgent
  pending: PendingRequest
  status: number
  body: unknown
}

type Stored = Awaited<ReturnType<NonNullable<AgentRequest['onReply']>>>

/** A promise only where there is something to wait for, as thousands of agents reply at once. Never rejects. */
export function storeReply(reply: StoredReply, context: ReplyClientContext): Awaitable<AgentOutcome> {
  const { agent, pending } = reply
  try {
    const stored = pending.request.onReply?.(reply.body, new ReplyClient(agent, pending, context))
    if (isPromise(stored) || pending.outputStored) return awaitStored(stored, reply, context)
    return outcomeOf(stored, reply, context)
  } catch (error) {
    return outcomeOfError(error, reply, context)
  }
}

async function awaitStored(
  storing: Awaitable<Stored>,
  reply: StoredReply,
  context: ReplyClientContext,
): Promise<AgentOutcome> {
  try {
    const stored = await storing
    if (reply.pending.outputStored) await reply.pending.outputStored
    return outcomeOf(stored, reply, context)
  } catch (error) {
    return outcomeOfError(error, reply, context)
  }
}

function outcomeOf(stored: Stored, { agent, pending, status }: StoredReply, { logOf }: ReplyClientContext) {
  const { addr, state } = agent
  // A status in the reply itself takes precedence.
  if (!pending.statusReported && status !== 202) state.status.clearBusy()
  if (stored === false) {
    const what = `${pending.request.command}: reply not stored, no computer record`
    logOf(addr, 'stored').info(`agent ${addr}`, what)
  }
  // A site's command may return anything.
  const failed = typeof stored === 'object' && stored?.result === 'failure'
  return failed ? failure(String(stored.reason), true) : success
}

function outcomeOfError(error: unknown, { agent, pending }: StoredReply, { logOf }: ReplyClientContext): AgentOutcome {
  const { addr } = agent
  logOf(addr, 'stored').error(`agent ${addr}`, `${pending.request.command}: reply not stored`, error)
  return failure(`reply not stored: ${message(error)}`, true)
}

/** Also of a site's own class. */
const isPromise = (stored: Awaitable<Stored>): stored is Promise<Stored> =>
  typeof stored === 'object' && stored !== null && 'then' in stored
