// One step of a job to its clients: who is sent it, who is skipped and why, what the daemon does itself.

import type { Store } from '../../stores/store.ts'
import type { AgentRequest } from '../agents/agent-request.ts'
import type { Fleet } from '../agents/fleet.ts'
import type { Outcome, Services } from '../services.ts'
import type { Clock } from '../system/clock.ts'
import { message } from '../system/log.ts'
import { createMutex } from '../system/mutex.ts'
import { type Accepted, clientsOf, type LoadedCommand, type Prepare } from './prepare.ts'
import type { OpenJob } from './recorder.ts'

export interface DispatchDeps {
  store: Store
  fleet: Fleet
  services: Services
  orders: Prepare
  clock: Clock
}

/** What a caller asks for beyond the command itself. */
export interface QueueOptions {
  /** Clients that are off or busy get it later: seconds that it may wait. */
  queue?: number
  /** Those that are off are woken first. */
  wake?: boolean
}

export interface Dispatch {
  /** Adds a part for each client and sends at once to those that take it. */
  forward(job: OpenJob, step: number, ready: LoadedCommand, accepted: Accepted, wishes: QueueOptions): Promise<void>
  /** Adds a part for each client and does at once what the daemon does itself. */
  act(job: OpenJob, step: number, ready: LoadedCommand, payload: unknown): Promise<void>
}

/** Clients that are sent an order before others than them have their turn. */
const sentTogether = 200

export function createDispatch({ store, fleet, services, orders, clock }: DispatchDeps): Dispatch {
  const inTurn = createMutex()

  /** One that is known but off waits to be switched on. */
  async function handleOff(job: OpenJob, index: number, addr: string, { queue, wake }: QueueOptions): Promise<void> {
    const isKnown = (await store.computers.find(addr)) !== undefined
    if (!isKnown) job.change(index, { state: 'skipped', reason: 'unknown', ended: clock.now() })
    else if (queue !== undefined && wake) await services.wake.send(addr, 'broadcast')
  }

  /** Gives those that are not connected, with the numbers of their parts. */
  async function send(
    job: OpenJob,
    step: number,
    order: AgentRequest,
    { clients, queue }: QueueOptions & { clients: string[] },
  ) {
    const off: [number, string][] = []
    const sendOne = (addr: string) => {
      const now = clock.now()
      const index = job.add({ client: addr, step, state: 'sent', sent: now })
      const fate = fleet.send(addr, order, index)
      if (fate === 'sent') return
      if (fate === 'not connected') off.push([index, addr])
      if (queue === undefined) job.change(index, { state: 'skipped', reason: fate, sent: 0, ended: now })
      else job.change(index, { state: 'queued', sent: 0, expires: queue })
    }
    for (let from = 0; from < clients.length; from += sentTogether) {
      if (from > 0) await new Promise(setImmediate)
      fleet.batchWrites(() => clients.slice(from, from + sentTogether).forEach(sendOne))
    }
    return off
  }

  return {
    async forward(job, step, ready, accepted, wishes) {
      const order = orders.toAgentRequest(ready, accepted, (_, ending, part) => job.end(part, ending))
      if (!order) return
      const clients = clientsOf(accepted.payload)
      const sending = () => send(job, step, order, { clients, ...wishes })
      // Of two large ones that want the same clients the first one gets all of them.
      const off = await (clients.length > sentTogether ? inTurn(sending) : sending())
      for (const [index, addr] of off) await handleOff(job, index, addr, wishes)
    },

    async act(job, step, ready, payload) {
      const one = async (ip: string) => {
        const index = job.add({ client: ip, step, state: 'sent', sent: clock.now() })
        const { result, reason = '' } = await actOn(ready, ip, payload, services)
        job.change(index, { state: result, reason, ended: clock.now() })
      }
      await Promise.all(clientsOf(payload).map(one))
    },
  }
}

/** What the daemon does itself for one client; that it throws is an outcome like others. */
export async function actOn(
  { command }: LoadedCommand,
  ip: string,
  payload: unknown,
  services: Services,
): Promise<Outcome> {
  try {
    return (await command.act?.(ip, payload, services)) ?? { result: 'success' }
  } catch (error) {
    return { result: 'failure', reason: message(error) }
  }
}
