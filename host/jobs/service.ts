// The jobs service: runs tasks, procedures and scheduled commands, cancels and retries jobs.
import type { IndexedPart, Job, PartState, Procedure, Store } from '../../stores/store.ts'
import type { LoadedCommand } from '../loaded-command.ts'
import { isRefusal, refuse } from '../refusal.ts'
import type { JobsService, Refusal } from '../services.ts'
import type { Dispatch } from './dispatch.ts'
import type { Prepare } from './prepare.ts'
import type { Queue } from './queue.ts'
import type { JobRecorder, OpenJob } from './recorder.ts'
import type { ResolveSteps } from './resolve-steps.ts'
import type { Run, RunSteps } from './run-steps.ts'

export interface JobsServiceDeps {
  store: Store
  resolveSteps: ResolveSteps
  runSteps: RunSteps
  queue: Queue
  recorder: JobRecorder
  dispatch: Dispatch
  prepare: Prepare
  /** Rejects when the job of a retry could not be stored. */
  ensureWritable(): Promise<void>
  findCommand(name: string): LoadedCommand | undefined
}

/** What schedules need besides. */
export interface ScheduleRunner {
  /** Resolves to the id of the new job, or a refusal. */
  runSchedule(type: 'task' | 'procedure' | 'command', id: number, name: string): Promise<number | Refusal>
}

const retriedStates: Record<'failed' | 'all', PartState[]> = {
  failed: ['failure'],
  all: ['failure', 'skipped', 'expired', 'cancelled'],
}

export function createJobsService(deps: JobsServiceDeps): JobsService & ScheduleRunner {
  const { store, resolveSteps, runSteps, queue } = deps

  async function runTask(
    id: number,
    run: Pick<Run, 'origin' | 'caller'> & { name?: string },
  ): Promise<number | Refusal> {
    const task = await store.tasks.find(id)
    if (!task) return refuse(`there is no task ${id}`)
    const commands = await resolveSteps.commands(task.steps)
    if (isRefusal(commands)) return commands
    const clients = await resolveSteps.targets(task)
    const job = await runSteps({ name: task.name, ...run, commands, clients, scheduled: true })
    if (isRefusal(job)) return job
    // The specification: then all clients with queued commands are sent the command to run them.
    queue.wake()
    return job
  }

  async function findProcedure(id: number): Promise<Procedure | Refusal> {
    return (await store.procedures.find(id)) ?? refuse(`there is no procedure ${id}`)
  }

  async function runProcedure(procedure: Procedure, run: Omit<Run, 'commands'>): Promise<number | Refusal> {
    const commands = await resolveSteps.commands(procedure.steps)
    return isRefusal(commands) ? commands : runSteps({ ...run, commands })
  }

  return {
    checkSteps: resolveSteps.check,
    runTask: (id, caller) => runTask(id, { origin: 'task', caller }),
    async runProcedure(id, clients, caller) {
      const procedure = await findProcedure(id)
      if (isRefusal(procedure)) return procedure
      return runProcedure(procedure, { origin: 'procedure', name: procedure.name, caller, clients, scheduled: false })
    },
    async runSchedule(type, id, name) {
      if (type === 'task') return runTask(id, { origin: 'schedule', name })
      if (type === 'procedure') {
        const procedure = await findProcedure(id)
        if (isRefusal(procedure)) return procedure
        const clients = await resolveSteps.targets(procedure)
        return runProcedure(procedure, { origin: 'schedule', name, clients, scheduled: true })
      }
      const scheduled = await store.schedules.findScheduledCommand(id)
      if (!scheduled) return refuse(`there is no scheduled command ${id}`)
      const { clients, command, params } = scheduled
      return runSteps({ origin: 'schedule', name, commands: [{ command, params }], clients, scheduled: true })
    },
    cancel: job => queue.cancel({ job }, 'by request'),
    retry: (id, only, caller) => retryJob(id, { states: retriedStates[only], caller }, deps),
  }
}

/** Queued parts are queued again, all others are sent again at once. */
async function retryJob(
  id: number,
  { states, caller }: { states: PartState[]; caller: string | undefined },
  deps: JobsServiceDeps,
): Promise<number | undefined> {
  const { store, recorder, queue } = deps
  const job = await store.jobs.find(id)
  const all = job ? await store.jobs.parts(id, { limit: Number.MAX_SAFE_INTEGER, outputs: false }) : []
  const parts = all.filter(({ state }) => states.includes(state))
  if (!job || parts.length === 0) return undefined
  await deps.ensureWritable()
  const open = recorder.begin({ origin: 'retry', name: job.name, caller, steps: job.steps })
  const directByStep = new Map<number, IndexedPart[]>()
  for (const part of parts) {
    const { client, step, expires } = part
    if (expires > 0) open.add({ client, step, state: 'queued', expires })
    else if (!directByStep.get(step)?.push(part)) directByStep.set(step, [part])
  }
  for (const [, direct] of [...directByStep].sort(([a], [b]) => a - b)) await retryStep(open, job, direct, deps)
  const retried = await open.store()
  queue.add(retried, job.steps, open.parts)
  return retried
}

/** Sends parts of one step again that were sent at once the first time. */
async function retryStep(open: OpenJob, job: Job, parts: IndexedPart[], deps: JobsServiceDeps): Promise<void> {
  const { findCommand, prepare, dispatch } = deps
  const index = parts[0]?.step ?? 0
  const { command = '', payload } = job.steps[index] ?? {}
  const loaded = findCommand(command)
  const clients = parts.map(({ client }) => client)
  const accepted = loaded && prepare.reuse(loaded, { ...payload, clients })
  if (!loaded || !accepted || isRefusal(accepted)) {
    const reason = accepted && isRefusal(accepted) ? accepted.refused : `no command ${command} is loaded`
    for (const client of clients) {
      open.end(open.add({ client, step: index, state: 'sent' }), { result: 'failure', reason, answered: false })
    }
    return
  }
  const step = { job: open, index, loaded }
  if (loaded.command.act) await dispatch.act(step, accepted.payload)
  else await dispatch.forward(step, accepted, {})
}
