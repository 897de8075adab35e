// From a command and its payload to what agents are sent.

import type { AgentRequest } from '../agents/agent-request.ts'
import { encodeRequest, toWireJson } from '../agents/codec.ts'
import type { Command } from '../command.ts'
import { isRefusal, refuse } from '../refusal.ts'
import type { Limits, Refusal, Services } from '../services.ts'

/** A command module that is ready: its schemas are compiled. A check gives the reason why a value does not fit. */
export interface LoadedCommand {
  name: string
  command: Command<object, object>
  checkPayload: ((payload: unknown) => string | undefined) | undefined
  checkReply: ((reply: unknown) => string | undefined) | undefined
}

/** A payload that may be sent: what was accepted, and the forwarded body, '' for none. */
export interface Accepted {
  payload: unknown
  body: string
}

export interface Prepare {
  /** Checks and accepts a payload. */
  accept(ready: LoadedCommand, payload: unknown): Promise<Accepted | Refusal>
  /** The same for a payload that was accepted before. */
  reuse(ready: LoadedCommand, payload: unknown): Accepted | Refusal
  /** What goes to the agents of a command that forwards. */
  toAgentRequest(ready: LoadedCommand, accepted: Accepted, ended?: AgentRequest['onEnd']): AgentRequest | undefined
}

export interface PrepareDeps {
  services: Services
  limits: Limits
  /** Option `deadlines`. */
  deadlines: Record<string, number>
}

/** Seconds until an agent that does not answer is given up, for modules that do not say. */
const usualDeadline = 900

export function createPrepare({ services, limits, deadlines }: PrepareDeps): Prepare {
  return {
    async accept({ command, checkPayload }, payload) {
      const misfit = checkPayload?.(payload)
      if (misfit !== undefined) return refuse(misfit)
      const sent = withClientsOnce(payload)
      // Before anything is accepted: what is too long for an agent must leave no trace.
      const body = bodyOf(command, sent, limits)
      if (isRefusal(body) || !command.accept) return isRefusal(body) ? body : { payload: sent, body }
      const accepted = await command.accept(sent, services)
      if (isRefusal(accepted)) return accepted
      const changed = accepted === sent ? body : bodyOf(command, accepted, limits)
      return isRefusal(changed) ? changed : { payload: accepted, body: changed }
    },

    reuse({ command }, payload) {
      const body = bodyOf(command, payload, limits)
      return isRefusal(body) ? body : { payload, body }
    },

    toAgentRequest({ name, command, checkReply }, { payload, body }, ended) {
      const { forward, settle } = command
      if (!forward) return undefined
      const { to, whileBusy, showsBusy, expectsReply: answered, endsOnClose, endsOn202, onConnect } = forward
      return {
        ...{
          command: name,
          payload: payload,
          whileBusy,
          showsBusy,
          expectsReply: answered,
          endsOnClose,
          endsOn202,
          onConnect,
          onEnd: ended,
        },
        bytes: encodeRequest(to, body),
        deadline: deadlines[name] ?? forward.deadline ?? usualDeadline,
        checkReply: checkReply,
        onReply: settle && (async (reply, client) => settle(reply, client, services)),
      }
    },
  }
}

export function clientsOf(payload: unknown): string[] {
  if (!(payload instanceof Object && 'clients' in payload && Array.isArray(payload.clients))) return []
  return payload.clients.filter(client => typeof client === 'string')
}

/** What is stored of a payload beside its clients. */
export function withoutClients(payload: unknown): Record<string, unknown> {
  const { clients: _, ...rest } = Object(payload)
  return rest
}

/** Repeated addresses count once. */
function withClientsOnce(payload: unknown): unknown {
  const clients = clientsOf(payload)
  const once = [...new Set(clients)]
  return once.length === clients.length ? payload : { ...Object(payload), clients: once }
}

/** The forwarded JSON, '' for none. */
function bodyOf({ forward }: Command<object, object>, sent: unknown, limits: Limits): string | Refusal {
  if (!forward || forward.body === 'none') return ''
  const body = forward.body ? forward.body(sent) : withoutClients(sent)
  if (Object.keys(body).length === 0) return ''
  try {
    const text = toWireJson(body)
    if (text.length <= limits.forward) return text
    return refuse(`payload: expected at most ${limits.forward}, got ${text.length} bytes`)
  } catch (error) {
    if (error instanceof RangeError) return refuse('payload: nested too deep')
    throw error
  }
}
