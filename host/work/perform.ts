// One command, one payload: check, accept, forward or act, answer. Every way to a command comes through here.
import { inspect } from 'node:util'
import type { Outcome, Refusal, Rooms } from '../command.ts'
import type { Fleet } from '../fleet/fleet.ts'
import { type Log, message } from '../log.ts'
import { clientsOf, type Orders, type Performable } from './orders.ts'
import { isRefusal } from './refuse.ts'

export interface PerformParts {
  log: Log
  fleet: Fleet
  rooms: Rooms
  orders: Orders
}

/** What the caller gets: an object, nothing, or a refusal. Rejects for bugs and store faults. */
export type Perform = (ready: Performable, payload: unknown) => Promise<object | Refusal | undefined>

export function createPerform({ log, fleet, rooms, orders }: PerformParts): Perform {
  async function act({ name, command }: Performable, payload: unknown): Promise<void> {
    const one = async (ip: string): Promise<Outcome> => {
      try {
        return (await command.act?.(ip, payload, rooms)) ?? { result: 'success' }
      } catch (error) {
        return { result: 'failure', reason: message(error) }
      }
    }
    const reportOf = async (ip: string) => {
      const { result, reason } = await one(ip)
      if (result === 'failure') log.warn(`client ${ip}`, `${name} failed: ${reason}`)
    }
    await Promise.all(clientsOf(payload).map(reportOf))
  }

  return async (ready, sent) => {
    const accepted = await orders.accept(ready, sent)
    if (isRefusal(accepted)) return accepted
    const { payload } = accepted
    const order = orders.order(ready, accepted)
    if (order) for (const addr of clientsOf(payload)) fleet.send(addr, order)
    if (ready.command.act) await act(ready, payload)
    const answer: unknown = (await ready.command.answer?.(payload, rooms)) ?? undefined
    if (answer === undefined || answer instanceof Object) return answer
    throw new Error(`answer: wrong type, got ${inspect(answer)}; an object, nothing or a refusal would be right`)
  }
}
