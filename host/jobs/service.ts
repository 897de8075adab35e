// The jobs service: runs tasks, procedures and scheduled commands, cancels and retries jobs.
import { retriedStates } from '../../stores/rules/part-states.ts'
import type { IndexedPart, Job, PartState, Schedule } from '../../stores/store.ts'
import { askedBy } from '../access/rights.ts'
import { runsScript } from '../contract/api-document.ts'
import { isRefusal, refuse } from '../contract/refusal.ts'
import type { Caller, JobRuns, Refusal, Rights } from '../contract/services.ts'
import { decideSteps } from './ask-hooks.ts'
import type { RunDeps } from './dispatch.ts'
import { createEndJobs, type EndJobDeps, findParts } from './end-jobs.ts'
import type { SkippedSteps } from './hook-decider.ts'
import type { Queue } from './queue/queue.ts'
import { createReadWaits } from './queue/waits.ts'
import type { OpenJob } from './record/open-job.ts'
import { checkStart, refuseUnknown } from './steps/check-run.ts'
import type { ResolvedRun, ResolveRuns } from './steps/resolve-runs.ts'
import type { CommandStep, ResolveSteps } from './steps/resolve-steps.ts'
import { conditionsOf } from './steps/run-conditions.ts'
import type { Run, RunSteps } from './steps/run-steps.ts'

interface JobsServiceDeps extends RunDeps, EndJobDeps {
  resolveSteps: ResolveSteps
  resolveRuns: ResolveRuns
  runSteps: RunSteps
  queue: Queue
}

/** What schedules need besides. */
export interface ScheduleRunner {
  /**
   * Resolves to the id of the new job, or a refusal: with 403 when the rights are not sufficient, `taken` when another host
   * has run the firing; then it has no effect.
   */
  runSchedule(
    schedule: Pick<Schedule, 'id' | 'name' | 'type' | 'task'>,
    rights: Rights,
    firing?: Run['firing'],
  ): Promise<number | Refusal>
}

const statesToRetry: Record<'failed' | 'all', readonly PartState[]> = {
  failed: ['failure'],
  all: retriedStates,
}

const retriedWords = { failed: 'has failed', all: 'has failed, was skipped or cancelled, or has expired' } as const

export function createJobsService(deps: JobsServiceDeps): JobRuns & ScheduleRunner {
  const { resolveSteps, resolveRuns, runSteps, queue, clock } = deps

  async function run(
    resolved: ResolvedRun | Refusal,
    options: Pick<Run, 'origin' | 'caller' | 'store' | 'schedule' | 'firing'> & {
      name?: string
      type: Schedule['type']
      rights: Rights
    },
  ): Promise<number | Refusal> {
    if (isRefusal(resolved)) return resolved
    const { type, rights, ...more } = options
    // A schedule records that it has found none.
    if (resolved.where !== undefined && resolved.clients.length === 0 && more.origin !== 'schedule')
      return refuse('where: no computer matches')
    const scheduled = type === 'task' || more.origin === 'schedule'
    const { options: taskOptions = {}, ...run } = resolved
    const conditions = conditionsOf(taskOptions, clock.now(), run.commands.length)
    const steps = run.commands.map((step, index) => ({ ...step, index, clients: run.clients }))
    const skipped = await decideSteps(steps, rights, deps)
    if (isRefusal(skipped)) return skipped
    const asked = { ...askedBy(rights), skipped }
    const job = await runSteps({ ...run, ...more, ...asked, scheduled, ...(conditions && { conditions }) })
    if (taskOptions.wake && !isRefusal(job)) await wakeWaiting(job, deps)
    // The specification: after a task all clients with queued commands are sent the command to run them.
    if (type === 'task' && !isRefusal(job)) queue.wake()
    return job
  }

  return {
    checkSteps: resolveSteps.check,
    isInside: resolveSteps.isInside,
    async runTask(task, { caller, rights }) {
      const resolved = await resolveRuns.target({ type: 'task', task }, rights)
      const store = typeof task === 'number' ? undefined : task.store
      return run(resolved, { type: 'task', origin: 'task', caller, rights, ...(store && { store }) })
    },
    async runProcedure(id, clients, { caller, rights }) {
      const resolved = await resolveRuns.procedure(id, clients, rights)
      return run(resolved, { type: 'procedure', origin: 'procedure', caller, rights })
    },
    async runSchedule({ id: schedule, type, task, name }, rights, firing) {
      const resolved = await resolveRuns.target({ type, task }, rights)
      const origin = 'schedule'
      return run(resolved, { type, origin, name, schedule, rights, ...(firing && { firing }) })
    },
    ...createEndJobs(deps),
    waitsOf: createReadWaits(deps, queue.gate),
    async retry(id, only, caller, wake) {
      const job = await retryJob(id, only, caller, deps)
      if (wake && !isRefusal(job)) await wakeWaiting(job, deps)
      return job
    },
  }
}

/** Wakes the clients of a job that have waiting parts; those that are connected get no packet. */
async function wakeWaiting(job: number, { store, wake }: JobsServiceDeps): Promise<void> {
  const parts = await store.jobs.parts(job, { limit: Number.MAX_SAFE_INTEGER, outputs: false })
  const clients = new Set(parts.filter(({ state }) => state === 'queued').map(({ client }) => client))
  await Promise.all([...clients].map(addr => wake.send(addr, 'broadcast')))
}

/** Queued parts are queued again, all others are sent again at once. */
async function retryJob(
  id: number,
  only: keyof typeof statesToRetry,
  { caller, rights }: Caller,
  deps: JobsServiceDeps,
): Promise<number | Refusal> {
  const job = await deps.store.jobs.find(id)
  const own = job ? await findParts(id, rights, deps) : []
  const parts = own.filter(({ state }) => statesToRetry[only].includes(state))
  if (!job || (rights.isLimited && own.length === 0)) return refuseUnknown(rights, `id: there is no job ${id}`)
  if (parts.length === 0) return refuse(`id: nothing of job ${id} ${retriedWords[only]}`)
  const run = { commands: stepsOf(job, parts), clients: [...new Set(parts.map(({ client }) => client))] }
  const refusal = await checkStart(rights, run, deps)
  if (refusal) return refusal
  const skipped = await decideRetry(job, parts, rights, deps)
  if (isRefusal(skipped)) return skipped
  await deps.ensureWritable()
  // Copies of images may wait for a slot.
  const waiting = parts.filter(({ step, expires }) => expires > 0 || isImaging(job.steps[step], deps))
  const work = { ...askedBy(rights), parts: waiting.length, steps: job.steps }
  return deps.waitingLimits.guard(work, () => storeRetry(job, parts, { caller, rights, skipped }, deps))
}

const isImaging = (step: Job['steps'][number] | undefined, { findCommand }: JobsServiceDeps) =>
  step !== undefined && findCommand(step.command)?.command.imaging !== undefined

async function storeRetry(
  job: Job,
  parts: IndexedPart[],
  { caller, rights, skipped }: Caller & { skipped: SkippedSteps },
  deps: JobsServiceDeps,
): Promise<number | Refusal> {
  const { recorder, clock } = deps
  const { until: _, ...conditions } = job.conditions ?? {}
  const kept = Object.keys(conditions).length > 0 && { conditions }
  const open = recorder.begin({
    origin: 'retry',
    name: job.name,
    retry_of: job.id,
    caller,
    ...askedBy(rights),
    steps: job.steps,
    ...kept,
  })
  const directByStep = new Map<number, IndexedPart[]>()
  for (const part of parts) {
    const { client, step, expires } = part
    const reason = skipped.get(step)?.get(client)
    if (reason !== undefined) open.add({ client, step, state: 'skipped', reason, ended: clock.now() })
    else if (expires > 0) open.add({ client, step, state: 'queued', expires })
    else if (!directByStep.get(step)?.push(part)) directByStep.set(step, [part])
  }
  for (const [, direct] of [...directByStep].sort(([a], [b]) => a - b)) await retryStep(open, job, direct, deps)
  return open.store()
}

/** What hooks decide about the parts of each step. */
function decideRetry(job: Job, parts: readonly IndexedPart[], rights: Rights, deps: JobsServiceDeps) {
  const steps = job.steps.map(({ command, payload: params }, index) => {
    const ofStep = parts.filter(({ step }) => step === index)
    return { index, command, params, clients: [...new Set(ofStep.map(({ client }) => client))] }
  })
  return decideSteps(
    steps.filter(({ clients }) => clients.length > 0),
    rights,
    deps,
  )
}

/** The commands of the steps that have these parts. */
const stepsOf = ({ steps }: Job, parts: readonly IndexedPart[]): CommandStep[] =>
  [...new Set(parts.map(({ step }) => step))].flatMap(step => {
    const { command, payload } = steps[step] ?? {}
    return command === undefined || payload === undefined ? [] : [{ command, params: payload }]
  })

/** Sends parts of one step again that were sent at once the first time. */
async function retryStep(open: OpenJob, job: Job, parts: IndexedPart[], deps: JobsServiceDeps): Promise<void> {
  const { findCommand, prepare, dispatch, fleet } = deps
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
  // What the script printed the last time is not what it prints now.
  if (runsScript(loaded.command.forward?.to)) await fleet.clearOutput(clients)
  if (loaded.command.act) await dispatch.act(step, accepted.payload)
  else await dispatch.forward(step, accepted, {})
}
