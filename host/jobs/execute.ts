// One request's command and payload: accept, forward or act, answer.
import { inspect } from 'node:util'
import { isRefusal, refuse } from '../refusal.ts'
import type { Limits, Refusal, Request, Services } from '../services.ts'
import type { Dispatch, QueueOptions } from './dispatch.ts'
import { type Accepted, type LoadedCommand, type Prepare, withoutClients } from './prepare.ts'
import type { Queue } from './queue.ts'
import type { JobRecorder } from './recorder.ts'

export interface ExecuteDeps {
  services: Services
  orders: Prepare
  dispatch: Dispatch
  jobs: JobRecorder
  queue: Queue
  limits: Limits
}

/** What the caller gets: an object, nothing, or a refusal. Rejects for bugs and store faults. */
export type Execute = (
  ready: LoadedCommand,
  payload: unknown,
  request: Request,
) => Promise<object | Refusal | undefined>

export function createExecute({ services, orders, dispatch, jobs, queue, limits }: ExecuteDeps): Execute {
  /** The id of the job when it is stored; agents are not kept waiting for that. */
  async function keepJob(ready: LoadedCommand, accepted: Accepted, wishes: QueueOptions): Promise<number> {
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
    const wishes = command.forward ? parseQueueOptions(request.query, limits) : {}
    if (isRefusal(wishes)) return wishes
    const accepted = await orders.accept(ready, sent)
    if (isRefusal(accepted)) return accepted
    if (command.forward || command.act) request.job(await keepJob(ready, accepted, wishes))
    const answer: unknown = (await command.answer?.(accepted.payload, services, request)) ?? undefined
    if (answer === undefined || (answer instanceof Object && typeof answer !== 'function')) return answer
    throw new Error(`answer: expected an object, nothing or a refusal, got ${inspect(answer)}`)
  }
}

/** `?queue=1&expires=<seconds>&wake=1` on a command that forwards. */
function parseQueueOptions(query: URLSearchParams, limits: Limits): QueueOptions | Refusal {
  const flag = (name: string) => query.get(name) ?? '0'
  const expires = query.get('expires')
  for (const name of ['queue', 'wake']) {
    if (!/^[01]$/.test(flag(name))) return refuse(`?${name}: expected 0 or 1, got ${flag(name)}`)
  }
  if (expires !== null && !/^[1-9]\d{0,8}$/.test(expires)) return refuse(`?expires: expected seconds, got ${expires}`)
  if (flag('queue') === '0') {
    return expires === null && flag('wake') === '0' ? {} : refuse('?expires and ?wake: they go with queue=1')
  }
  return { queue: expires === null ? limits.expiry_seconds : Number(expires), wake: flag('wake') === '1' }
}
