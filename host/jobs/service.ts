// What commands and schedules may ask of jobs: run what is stored, cancel what waits, do again what failed.
import type { IndexedPart, Job, PartState, Store } from '../../stores/store.ts'
import { isRefusal, refuse } from '../refusal.ts'
import type { JobsService, Refusal } from '../services.ts'
import type { Dispatch } from './dispatch.ts'
import type { LoadedCommand, Prepare } from './prepare.ts'
import type { Queue } from './queue.ts'
import type { JobRecorder, OpenJob } from './recorder.ts'
import type { ResolveSteps } from './resolve-steps.ts'
import type { Run } from './run-steps.ts'

export interface JobsServiceDeps {
  store: Store
  plan: ResolveSteps
  run(run: Run): Promise<number>
  queue: Queue
  jobs: JobRecorder
  dispatch: Dispatch
  orders: Prepare
  find(name: string): LoadedCommand | undefined
}

/** What schedules do besides. */
export interface ScheduledJobs {
  /** The new job's id, or why there is none. */
  runSchedule(type: 'task' | 'procedure' | 'command', id: number, name: string): Promise<number | Refusal>
}

const undone: Record<'failed' | 'all', PartState[]> = {
  failed: ['failure'],
  all: ['failure', 'skipped', 'expired', 'cancelled'],
}

export function createJobsService(deps: JobsServiceDeps): JobsService & ScheduledJobs {
  const { store, plan, run, queue, jobs, dispatch, orders, find } = deps

  async function runTask(id: number, origin: 'task' | 'schedule', name?: string): Promise<number | Refusal> {
    const task = await store.tasks.find(id)
    if (!task) return refuse(`there is no task ${id}`)
    const commands = await plan.commands(task.steps)
    if (isRefusal(commands)) return commands
    const clients = await plan.targets(task)
    const job = await run({ origin, name: name ?? task.name, commands, clients, scheduled: true })
    // The specification: all clients that have queued commands are told to run them.
    queue.wake()
    return job
  }

  async function runProcedure(id: number, how: Pick<Run, 'origin' | 'scheduled'>, name?: string, clients?: string[]) {
    const procedure = await store.procedures.find(id)
    if (!procedure) return refuse(`there is no procedure ${id}`)
    const commands = await plan.commands(procedure.steps)
    if (isRefusal(commands)) return commands
    const targets = clients ?? (await plan.targets(procedure))
    return run({ ...how, name: name ?? procedure.name, commands, clients: targets })
  }

  /** The parts of one step as they were sent the first time: at once, or through the queue. */
  async function stepAgain(open: OpenJob, job: Job, step: number, parts: IndexedPart[]): Promise<void> {
    const { command = '', payload } = job.steps[step] ?? {}
    const ready = find(command)
    const clients = parts.map(({ client }) => client)
    const accepted = ready && orders.reuse(ready, { ...payload, clients })
    if (!ready || !accepted || isRefusal(accepted)) {
      const reason = accepted && isRefusal(accepted) ? accepted.refused : `no command ${command} is loaded`
      for (const client of clients)
        open.end(open.add({ client, step, state: 'sent' }), { result: 'failure', reason, answered: false })
    } else if (ready.command.act) await dispatch.act(open, step, ready, accepted.payload)
    else await dispatch.forward(open, step, ready, accepted, {})
  }

  return {
    checkSteps: plan.check,
    runTask: id => runTask(id, 'task'),
    runProcedure: (id, clients) => runProcedure(id, { origin: 'procedure', scheduled: false }, undefined, clients),
    async runSchedule(type, id, name) {
      if (type === 'task') return runTask(id, 'schedule', name)
      if (type === 'procedure') return runProcedure(id, { origin: 'schedule', scheduled: true }, name)
      const errand = await store.schedules.findScheduledCommand(id)
      if (!errand) return refuse(`there is no command ${id}`)
      return run({ origin: 'schedule', name, commands: [errand], clients: errand.clients, scheduled: true })
    },
    cancel: job => queue.cancel({ job }, 'by request'),
    async retry(id, only) {
      const job = await store.jobs.find(id)
      const all = job ? await store.jobs.parts(id, { limit: Number.MAX_SAFE_INTEGER }) : []
      const parts = all.filter(({ state }) => undone[only].includes(state))
      if (!job || parts.length === 0) return undefined
      const open = jobs.begin({ origin: 'retry', name: job.name, steps: job.steps })
      const queued = parts.filter(({ expires }) => expires > 0)
      for (const { client, step, expires } of queued) open.add({ client, step, state: 'queued', expires })
      for (const step of job.steps.keys()) {
        const direct = parts.filter(part => part.step === step && part.expires === 0)
        if (direct.length > 0) await stepAgain(open, job, step, direct)
      }
      const again = await open.store()
      queue.add(again, job.steps, open.parts)
      return again
    },
  }
}
