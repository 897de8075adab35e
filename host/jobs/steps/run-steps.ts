// Runs several commands in order on the same clients: local actions at once, everything else through the queue.

import type { Job, JobConditions, Part } from '../../../stores/store.ts'
import type { LoadedCommand } from '../../contract/loaded-command.ts'
import { isRefusal, refuse } from '../../contract/refusal.ts'
import type { Refusal, UnstoredTask } from '../../contract/services.ts'
import type { DueFiring } from '../../schedules/due-firings.ts'
import { createPause } from '../../system/time-slices.ts'
import type { RunDeps } from '../dispatch.ts'
import { act, endAction } from '../dispatch.ts'
import type { SkippedSteps } from '../hook-decider.ts'
import { withoutClients } from '../prepare.ts'
import type { OpenJob } from '../record/open-job.ts'
import { type CommandStep, tickMilliseconds } from './resolve-steps.ts'

export interface Run {
  origin: Job['origin']
  name: string
  /** The caller's address, if there is a caller. */
  caller?: string
  /** The name of who asks for it. */
  by: string
  /** See `Job`. */
  account?: string | undefined
  commands: CommandStep[]
  clients: string[]
  /** The query that has found them. */
  where?: string
  /** What hooks have decided. */
  skipped?: SkippedSteps
  /** Scheduled work skips computers in maintenance. */
  scheduled: boolean
  /** Under which its queued parts may be sent. */
  conditions?: JobConditions
  /** The id of the schedule that it is a run of. */
  schedule?: number
  /** Stores what is run, when nothing refuses it any more. */
  store?: UnstoredTask['store']
  /** Of a schedule that is due, which another host may have run. */
  firing?: DueFiring
}

/**
 * Resolves to the job's id when the job is stored and the local actions have ended; to `taken` when another host has run
 * the firing; to a refusal when it would have more than `limits.run_parts` parts, and with 429 when too many would wait.
 */
export type RunSteps = (run: Run) => Promise<number | Refusal>

/** A step for all clients: accepted, or refused with a reason. */
interface PreparedStep {
  command: string
  payload: Record<string, unknown>
  loaded?: LoadedCommand
  refused?: string
}

export function createRunSteps(deps: RunDeps): RunSteps {
  const { services, recorder, clock, limits, waitingLimits } = deps

  /** Runs the parts in state sent: those of commands that act. */
  async function runActions(job: OpenJob, steps: PreparedStep[]): Promise<void> {
    const actions = [...job.parts.entries()].filter(([, { state }]) => state === 'sent')
    const runOne = async ([index, { client, step }]: [number, Part]) => {
      const { loaded, payload } = steps[step] ?? {}
      if (!loaded) return
      endAction(job, index, await act(loaded, client, { ...payload, clients: [client] }, services), clock)
    }
    const running: Promise<void>[] = []
    const pause = createPause(tickMilliseconds)
    for (const action of actions) {
      running.push(runOne(action))
      await pause()
    }
    await Promise.all(running)
  }

  async function storeJob({ origin, name, caller, by, account, commands, clients, scheduled, ...more }: Run) {
    const { conditions, schedule, firing, where } = more
    const prepared = await prepareSteps(commands, clients, deps)
    const steps = prepared.map(({ command, payload }) => ({ command, payload }))
    const skipReasons = await findSkipReasons({ clients, scheduled }, deps)
    const stored = await more.store?.()
    if (isRefusal(stored)) return stored
    const job = recorder.begin(
      {
        origin,
        name: stored?.name ?? name,
        caller,
        by,
        account,
        steps,
        ...(conditions && { conditions }),
        ...(schedule !== undefined && { schedule }),
        ...(where !== undefined && { where }),
      },
      firing?.created,
    )
    const pause = createPause(tickMilliseconds)
    for (const client of clients) {
      const skipped = skipReasons.get(client)
      for (const [step, preparedStep] of prepared.entries()) {
        const reason = skipped ?? more.skipped?.get(step)?.get(client)
        job.add({ client, step, ...partOf(preparedStep, reason, deps) })
      }
      await pause()
    }
    return { id: await job.store(firing), job, prepared }
  }

  return async run => {
    const { by, account, commands, clients } = run
    const count = commands.length * clients.length
    if (count > limits.run_parts) {
      return refuse(`run: expected at most ${limits.run_parts} parts (steps times clients), got ${count}`)
    }
    const waiting = commands.filter(({ command }) => deps.findCommand(command)?.command.forward)
    const work = { by, account, parts: waiting.length * clients.length, steps: commands }
    const stored = await waitingLimits.guard(work, () => storeJob(run))
    if (isRefusal(stored)) return stored
    const { id, job, prepared } = stored
    if (isRefusal(id)) return id
    await runActions(job, prepared)
    return id
  }
}

async function prepareSteps(
  commands: CommandStep[],
  clients: string[],
  { prepare, findCommand }: RunDeps,
): Promise<PreparedStep[]> {
  async function prepareStep({ command, params }: CommandStep): Promise<PreparedStep> {
    const loaded = findCommand(command)
    if (!loaded) return { command, payload: params, refused: `no command ${command} is loaded` }
    const payload = { ...params, clients }
    const refused = loaded.checkPayload?.(payload)
    if (refused !== undefined) return { command, payload: params, refused }
    const accepted = await prepare.accept(loaded, payload)
    if (isRefusal(accepted)) return { command, payload: params, refused: accepted.refused }
    return { command, payload: withoutClients(accepted.payload), loaded }
  }

  const pause = createPause(tickMilliseconds)
  const prepared: PreparedStep[] = []
  for (const command of commands) {
    prepared.push(await prepareStep(command))
    await pause()
  }
  return prepared
}

/** By address, why a client gets nothing. */
async function findSkipReasons(
  { clients, scheduled }: Pick<Run, 'clients' | 'scheduled'>,
  { store, fleet }: RunDeps,
): Promise<Map<string, string>> {
  const reasons = new Map<string, string>()
  const known = new Set<string>()
  for (const { ip, maintenance } of await store.computers.findMany(clients)) {
    known.add(ip)
    if (scheduled && maintenance) reasons.set(ip, 'maintenance')
  }
  for (const client of clients) if (!known.has(client) && !fleet.has(client)) reasons.set(client, 'unknown')
  return reasons
}

/** The first state of a part. */
function partOf(
  { loaded, refused }: PreparedStep,
  skipped: string | undefined,
  { clock, limits }: RunDeps,
): Pick<Part, 'state'> & Partial<Part> {
  const now = clock.now()
  if (skipped !== undefined) return { state: 'skipped', reason: skipped, ended: now }
  if (refused !== undefined) return { state: 'failure', reason: refused, ended: now }
  if (loaded?.command.act) return { state: 'sent', sent: now }
  return { state: 'queued', expires: limits.expiry_seconds }
}
