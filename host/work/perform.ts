// One command, one payload: check, accept, forward or act, answer. Every way to a command comes through here.
import { inspect } from 'node:util'
import type { Client, Command, Limits, Outcome, Refusal, Rooms } from '../command.ts'
import { encodeRequest, toWireJson } from '../fleet/codec.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Order } from '../fleet/order.ts'
import { type Log, message } from '../log.ts'

/** A command module that is ready: its schemas are compiled. A check gives the reason why a value does not fit. */
export interface Performable {
  name: string
  command: Command<object, object>
  checkPayload: ((payload: unknown) => string | undefined) | undefined
  checkReply: ((reply: unknown) => string | undefined) | undefined
}

export interface PerformParts {
  log: Log
  fleet: Fleet
  rooms: Rooms
  limits: Limits
  /** Option `deadlines`. */
  deadlines: Record<string, number>
}

export interface Work {
  /** What the caller gets: an object, nothing, or a refusal. Rejects for bugs and store faults. */
  perform(ready: Performable, payload: unknown): Promise<object | Refusal | undefined>
  /** The order by which a command without a payload of its own goes to one agent. */
  orderFor(ready: Performable, addr: string): Order | undefined
}

/** Seconds until an agent that does not answer is given up, for modules that do not say. */
const usualDeadline = 900

class Refused implements Refusal {
  readonly refused: string
  constructor(reason: string) {
    this.refused = reason
  }
}

export const refuse = (reason: string): Refusal => new Refused(reason)
export const isRefusal = (value: unknown): value is Refusal => value instanceof Refused

export function createWork({ log, fleet, rooms, limits, deadlines }: PerformParts): Work {
  function createOrder({ name, command, checkReply }: Performable, sent: unknown, body: string): Order | undefined {
    const { forward, settle } = command
    if (!forward) return undefined
    return {
      command: name,
      sent,
      bytes: encodeRequest(forward.to, body),
      deadline: deadlines[name] ?? forward.deadline ?? usualDeadline,
      whileBusy: forward.whileBusy,
      showsBusy: forward.showsBusy,
      answered: forward.answered,
      endsOnClose: forward.endsOnClose,
      check: checkReply,
      settle:
        settle &&
        (async (reply, answering) => {
          const client: Client = { ...answering, sent }
          return settle(reply, client, rooms)
        }),
    }
  }

  async function act(command: Command<object, object>, name: string, sent: unknown): Promise<void> {
    const one = async (ip: string): Promise<Outcome> => {
      try {
        return (await command.act?.(ip, sent, rooms)) ?? { result: 'success' }
      } catch (error) {
        return { result: 'failure', reason: message(error) }
      }
    }
    const reportOf = async (ip: string) => {
      const { result, reason } = await one(ip)
      if (result === 'failure') log.warn(`client ${ip}`, `${name} failed: ${reason}`)
    }
    await Promise.all(clientsOf(sent).map(reportOf))
  }

  return {
    async perform(ready, payload) {
      const { name, command, checkPayload } = ready
      const misfit = checkPayload?.(payload)
      if (misfit !== undefined) return refuse(misfit)
      const sent = withClientsOnce(payload)
      // Before anything is accepted: what is too long for an agent must leave no trace.
      let body = bodyOf(command, sent)
      if (isOver(body, limits)) return tooLong(body, limits)
      const accepted = command.accept ? await command.accept(sent, rooms) : sent
      if (isRefusal(accepted)) return accepted
      if (accepted !== sent) {
        body = bodyOf(command, accepted)
        if (isOver(body, limits)) return tooLong(body, limits)
      }
      const order = createOrder(ready, accepted, body ?? '')
      if (order) fleet.send(clientsOf(accepted), order)
      if (command.act) await act(command, name, accepted)
      const answer: unknown = (await command.answer?.(accepted, rooms)) ?? undefined
      if (answer === undefined || answer instanceof Object) return answer
      throw new Error(`answer: wrong type, got ${inspect(answer)}; an object, nothing or a refusal would be right`)
    },

    orderFor(ready, addr) {
      const sent = { clients: [addr] }
      return createOrder(ready, sent, bodyOf(ready.command, sent) ?? '')
    },
  }
}

/** Repeated addresses count once. */
function withClientsOnce(payload: unknown): unknown {
  const clients = clientsOf(payload)
  const once = [...new Set(clients)]
  return once.length === clients.length ? payload : { ...Object(payload), clients: once }
}

function clientsOf(payload: unknown): string[] {
  if (!(payload instanceof Object && 'clients' in payload && Array.isArray(payload.clients))) return []
  return payload.clients.filter(client => typeof client === 'string')
}

/** The forwarded JSON, '' for none; undefined when it is nested so deep that nothing can write it. */
function bodyOf({ forward }: Command<object, object>, sent: unknown): string | undefined {
  if (!forward || forward.body === 'none') return ''
  const { clients: _, ...rest } = Object(sent)
  const body = forward.body ? forward.body(sent) : rest
  if (Object.keys(body).length === 0) return ''
  try {
    return toWireJson(body)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const isOver = (body: string | undefined, { forward }: Limits) => body === undefined || body.length > forward

function tooLong(body: string | undefined, { forward }: Limits): Refusal {
  if (body === undefined) return refuse('payload: nested too deep')
  return refuse(`payload: too long for an agent, got ${body.length} bytes; at most ${forward} would be right`)
}
