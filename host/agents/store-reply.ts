// Has the command store an agent's reply, and makes an outcome of the result.
import type { Awaitable } from '../command.ts'
import { type Log, message } from '../system/log.ts'
import { type AgentOutcome, type AgentRequest, failure, success } from './agent-request.ts'
import type { ClientState } from './client-state.ts'
import type { PendingRequest } from './pending-request.ts'
import { ReplyClient, type ReplyClientContext } from './reply-client.ts'

export interface StoreReplyContext extends ReplyClientContext {
  /** The log for lines of one kind about one agent; it limits them. */
  logOf(addr: string, kind: string): Log
}

/** A reply to be stored, of one agent. */
export interface StoredReply {
  addr: string
  state: ClientState
  pending: PendingRequest
  status: number
  body: unknown
}

type Stored = Awaited<ReturnType<NonNullable<AgentRequest['onReply']>>>

/** A promise only where there is something to wait for, as thousands of agents reply at once. Never rejects. */
export function storeReply(reply: StoredReply, context: StoreReplyContext): Awaitable<AgentOutcome> {
  const { addr, state, pending } = reply
  try {
    const stored = pending.request.onReply?.(reply.body, new ReplyClient(addr, state, pending, context))
    if (isPromise(stored) || pending.outputStored) return awaitStored(stored, reply, context)
    return outcomeOf(stored, reply, context)
  } catch (error) {
    return outcomeOfError(error, reply, context)
  }
}

async function awaitStored(
  storing: Awaitable<Stored>,
  reply: StoredReply,
  context: StoreReplyContext,
): Promise<AgentOutcome> {
  try {
    const stored = await storing
    if (reply.pending.outputStored) await reply.pending.outputStored
    return outcomeOf(stored, reply, context)
  } catch (error) {
    return outcomeOfError(error, reply, context)
  }
}

function outcomeOf(stored: Stored, { addr, state, pending, status }: StoredReply, { logOf }: StoreReplyContext) {
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

function outcomeOfError(error: unknown, { addr, pending }: StoredReply, { logOf }: StoreReplyContext): AgentOutcome {
  logOf(addr, 'stored').error(`agent ${addr}`, `${pending.request.command}: reply not stored`, error)
  return failure(`reply not stored: ${message(error)}`, true)
}

/** Also of a site's own class. */
const isPromise = (stored: Awaitable<Stored>): stored is Promise<Stored> =>
  typeof stored === 'object' && stored !== null && 'then' in stored
