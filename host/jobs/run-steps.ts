// Runs several commands in order on the same clients: what the daemon does itself at once, the rest through the queue.
import type { Job, Part, Store } from '../../stores/store.ts'
import type { Fleet } from '../agents/fleet.ts'
import { isRefusal } from '../refusal.ts'
import type { Limits, Services } from '../services.ts'
import type { Clock } from '../system/clock.ts'
import { actOn } from './dispatch.ts'
import { type LoadedCommand, type Prepare, withoutClients } from './prepare.ts'
import type { Queue } from './queue.ts'
import type { JobRecorder, OpenJob } from './recorder.ts'
import type { CommandStep } from './resolve-steps.ts'

export interface RunDeps {
  store: Store
  fleet: Fleet
  services: Services
  orders: Prepare
  jobs: JobRecorder
  queue: Queue
  clock: Clock
  limits: Limits
  find(name: string): LoadedCommand | undefined
}

export interface Run {
  origin: Job['origin']
  name: string
  commands: CommandStep[]
  clients: string[]
  /** Scheduled work leaves computers in maintenance alone. */
  scheduled: boolean
}

/** A step for all clients: what was accepted once, or why it cannot be done. */
interface Prepared {
  command: string
  payload: Record<string, unknown>
  ready?: LoadedCommand
  refused?: string
}

/** Resolves with the job's id when it is stored and what the daemon does itself is under way. */
export function createRun(deps: RunDeps): (run: Run) => Promise<number> {
  const { store, fleet, services, orders, jobs, queue, clock, limits, find } = deps

  async function prepare({ command, params }: CommandStep, clients: string[]): Promise<Prepared> {
    const ready = find(command)
    if (!ready) return { command, payload: params, refused: `no command ${command} is loaded` }
    const accepted = await orders.accept(ready, { ...params, clients })
    if (isRefusal(accepted)) return { command, payload: params, refused: accepted.refused }
    return { command, payload: withoutClients(accepted.payload), ready }
  }

  async function skipReason(client: string, scheduled: boolean): Promise<string | undefined> {
    const computer = await store.computers.find(client)
    if (!computer && !fleet.has(client)) return 'unknown'
    return scheduled && computer?.maintenance ? 'maintenance' : undefined
  }

  function partOf({ ready, refused }: Prepared, skip: string | undefined): Pick<Part, 'state'> & Partial<Part> {
    const now = clock.now()
    if (skip !== undefined) return { state: 'skipped', reason: skip, ended: now }
    if (refused !== undefined) return { state: 'failure', reason: refused, ended: now }
    if (ready?.command.act) return { state: 'sent', sent: now }
    return { state: 'queued', expires: limits.expiry_seconds }
  }

  async function act(job: OpenJob, steps: Prepared[]): Promise<void> {
    const own = job.parts.flatMap((part, index) => (part.state === 'sent' ? [{ ...part, index }] : []))
    const one = async ({ client, step, index }: (typeof own)[number]) => {
      const { ready, payload } = steps[step] ?? {}
      if (!ready) return
      const { result, reason = '' } = await actOn(ready, client, { ...payload, clients: [client] }, services)
      job.change(index, { state: result, reason, ended: clock.now() })
    }
    await Promise.all(own.map(one))
  }

  return async ({ origin, name, commands, clients, scheduled }) => {
    const steps: Prepared[] = []
    for (const command of commands) steps.push(await prepare(command, clients))
    const kept = steps.map(({ command, payload }) => ({ command, payload }))
    const job = jobs.begin({ origin, name, steps: kept })
    for (const client of clients) {
      const skip = await skipReason(client, scheduled)
      for (const [step, prepared] of steps.entries()) job.add({ client, step, ...partOf(prepared, skip) })
    }
    const id = await job.store()
    queue.add(id, kept, job.parts)
    await act(job, steps)
    return id
  }
}
