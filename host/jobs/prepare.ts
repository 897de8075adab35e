// From a command and its payload to what agents are sent.

import type { Order } from '../agents/agent-request.ts'
import { encodeRequest, toWireJson } from '../agents/codec.ts'
import type { Command } from '../command.ts'
import { isRefusal, refuse } from '../refusal.ts'
import type { Limits, Refusal, Rooms } from '../services.ts'

/** A command module that is ready: its schemas are compiled. A check gives the reason why a value does not fit. */
export interface Performable {
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

export interface Orders {
  /** Checks and accepts a payload. */
  accept(ready: Performable, payload: unknown): Promise<Accepted | Refusal>
  /** The same for a payload that was accepted before. */
  again(ready: Performable, payload: unknown): Accepted | Refusal
  /** What goes to the agents of a command that forwards. */
  order(ready: Performable, accepted: Accepted, ended?: Order['ended']): Order | undefined
}

export interface OrdersParts {
  rooms: Rooms
  limits: Limits
  /** Option `deadlines`. */
  deadlines: Record<string, number>
}

/** Seconds until an agent that does not answer is given up, for modules that do not say. */
const usualDeadline = 900

export function createOrders({ rooms, limits, deadlines }: OrdersParts): Orders {
  return {
    async accept({ command, checkPayload }, payload) {
      const misfit = checkPayload?.(payload)
      if (misfit !== undefined) return refuse(misfit)
      const sent = withClientsOnce(payload)
      // Before anything is accepted: what is too long for an agent must leave no trace.
      const body = bodyOf(command, sent, limits)
      if (isRefusal(body) || !command.accept) return isRefusal(body) ? body : { payload: sent, body }
      const accepted = await command.accept(sent, rooms)
      if (isRefusal(accepted)) return accepted
      const changed = accepted === sent ? body : bodyOf(command, accepted, limits)
      return isRefusal(changed) ? changed : { payload: accepted, body: changed }
    },

    again({ command }, payload) {
      const body = bodyOf(command, payload, limits)
      return isRefusal(body) ? body : { payload, body }
    },

    order({ name, command, checkReply }, { payload, body }, ended) {
      const { forward, settle } = command
      if (!forward) return undefined
      const { to, whileBusy, showsBusy, answered, endsOnClose, endsOn202, onConnect } = forward
      return {
        ...{ command: name, sent: payload, whileBusy, showsBusy, answered, endsOnClose, endsOn202, onConnect, ended },
        bytes: encodeRequest(to, body),
        deadline: deadlines[name] ?? forward.deadline ?? usualDeadline,
        check: checkReply,
        settle: settle && (async (reply, client) => settle(reply, client, rooms)),
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
    return refuse(`payload: too long for an agent, got ${text.length} bytes; at most ${limits.forward} would be right`)
  } catch (error) {
    if (error instanceof RangeError) return refuse('payload: nested too deep')
    throw error
  }
}
