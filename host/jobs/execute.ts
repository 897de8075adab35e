// One request's command and payload: accept, forward or act, answer.
import { inspect } from 'node:util'
import { isRefusal, refuse } from '../refusal.ts'
import type { Limits, Refusal, Request, Rooms } from '../services.ts'
import type { Dispatch, Wishes } from './dispatch.ts'
import { type Accepted, type Orders, type Performable, withoutClients } from './prepare.ts'
import type { Queue } from './queue.ts'
import type { Jobs } from './recorder.ts'

export interface PerformParts {
  rooms: Rooms
  orders: Orders
  dispatch: Dispatch
  jobs: Jobs
  queue: Queue
  limits: Limits
}

/** What the caller gets: an object, nothing, or a refusal. Rejects for bugs and store faults. */
export type Perform = (ready: Performable, payload: unknown, request: Request) => Promise<object | Refusal | undefined>

export function createPerform({ rooms, orders, dispatch, jobs, queue, limits }: PerformParts): Perform {
  /** The id of the job when it is stored; agents are not kept waiting for that. */
  async function keepJob(ready: Performable, accepted: Accepted, wishes: Wishes): Promise<number> {
    const { name, command } = ready
    const steps = [{ command: name, payload: withoutClients(accepted.payload) }]
    const job = jobs.begin({ origin: 'request', name, steps })
    if (command.forward) await dispatch.forward(job, 0, ready, accepted, wishes)
    else await dispatch.act(job, 0, ready, accepted.payload)
    const id = await job.store()
    queue.add(id, steps, job.parts)
    return id
  }

  return async (ready, sent, request) => {
    const { command } = ready
    const wishes = command.forward ? readWishes(request.query, limits) : {}
    if (isRefusal(wishes)) return wishes
    const accepted = await orders.accept(ready, sent)
    if (isRefusal(accepted)) return accepted
    if (command.forward || command.act) request.job(await keepJob(ready, accepted, wishes))
    const answer: unknown = (await command.answer?.(accepted.payload, rooms, request)) ?? undefined
    if (answer === undefined || (answer instanceof Object && typeof answer !== 'function')) return answer
    throw new Error(`answer: wrong type, got ${inspect(answer)}; an object, nothing or a refusal would be right`)
  }
}

/** `?queue=1&expires=<seconds>&wake=1` on a command that forwards. */
function readWishes(query: URLSearchParams, limits: Limits): Wishes | Refusal {
  const flag = (name: string) => query.get(name) ?? '0'
  const expires = query.get('expires')
  for (const name of ['queue', 'wake']) {
    if (!/^[01]$/.test(flag(name))) return refuse(`?${name}: got ${flag(name)}; 0 or 1 would be right`)
  }
  if (expires !== null && !/^[1-9]\d{0,8}$/.test(expires))
    return refuse(`?expires: got ${expires}; seconds would be right`)
  if (flag('queue') === '0') {
    return expires === null && flag('wake') === '0' ? {} : refuse('?expires and ?wake: they go with queue=1')
  }
  return { queue: expires === null ? limits.expiry_seconds : Number(expires), wake: flag('wake') === '1' }
}
