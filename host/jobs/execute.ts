// Executes one caller's request for a command: accepts the payload, forwards or acts, and returns the answer.
import { askedBy, checkClients, checkCommand } from '../access/rights.ts'
import type { Limits } from '../config/options.ts'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import { isRefusal, refuse } from '../contract/refusal.ts'
import type { CommandRun, Refusal, Request, Rights } from '../contract/services.ts'
import { showValue } from '../log/shown-text.ts'
import { decide, noneSkipped, withoutSkipped } from './ask-hooks.ts'
import type { QueueOptions, RunDeps } from './dispatch.ts'
import type { SkippedClients } from './hook-decider.ts'
import { countWaiting, preview } from './preflight.ts'
import { type Accepted, clientsOf, withoutClients } from './prepare.ts'
import type { OpenJob } from './record/open-job.ts'

/**
 * The payload matches the command's schema. Resolves to an object (JSON or text), nothing, or a refusal. Rejects for bugs and
 * store faults.
 */
export type Execute = (
  loaded: LoadedCommand,
  payload: unknown,
  request: Request,
) => Promise<object | Refusal | undefined>

/** Starts a command for a pack: resolves to the id of the job. Computers in maintenance are skipped, as nobody asks for it now. */
export type RunCommand = (work: FoundRun, rights: Rights) => Promise<number | Refusal>

/** With the clients that its query has found. */
export type FoundRun = CommandRun & { clients: readonly string[] }

interface Execution {
  loaded: LoadedCommand
  payload: unknown
  options: QueueOptions
  rights: Rights
  /** Absent for what a pack asks for. */
  request?: Request
  /** The query that has found the clients. */
  where?: string | undefined
}

export function createExecute(deps: RunDeps): { execute: Execute; run: RunCommand } {
  const { services, prepare, limits, ensureWritable } = deps

  /** Resolves when the command has been accepted, and its job is stored if it has one. */
  async function accept(execution: Execution): Promise<(Accepted & { job?: number }) | Refusal> {
    const { loaded, rights, request } = execution
    const skipped = await decideFor(execution, execution.payload, deps)
    if (isRefusal(skipped)) return skipped
    const payload = withoutSkipped(execution.payload, skipped)
    const accepted = await prepare.accept(loaded, payload, request)
    if (isRefusal(accepted)) return accepted
    const isOther = accepted.payload !== payload
    // A site's `accept` may have added some.
    const outside = isOther && checkClients(rights, clientsOf(accepted.payload))
    if (outside) return outside
    const { forward, act } = loaded.command
    if (!forward && !act) return accepted
    const added = isOther ? addedClients(payload, accepted.payload) : {}
    const late = clientsOf(added).length > 0 ? await decideFor(execution, added, deps) : noneSkipped
    if (isRefusal(late)) return late
    const run = () => runJob(execution, accepted, { skipped, late }, deps)
    const job = await (isOther && forward ? limitWaiting(execution, added, run, deps) : run())
    if (isRefusal(job)) return job
    request?.job(job)
    return { ...accepted, job }
  }

  /** As `accept`, unless too many parts wait already. */
  async function acceptWithin(execution: Execution) {
    const { forward, act } = execution.loaded.command
    // Before `accept`, which may store something itself.
    if (forward || act) await ensureWritable()
    return forward ? limitWaiting(execution, execution.payload, () => accept(execution), deps) : accept(execution)
  }

  async function execute(loaded: LoadedCommand, payload: unknown, request: Request) {
    const { command } = loaded
    const { rights } = request
    const forbidden =
      rights.isLimited && (await command.checkRights?.({ payload, rights, ...services.contextOf(loaded) }))
    if (forbidden) return forbidden
    const previewed = preview(loaded, payload, request, deps)
    if (previewed) return previewed
    const options = parseQueueOptions(loaded, request.query, limits)
    if (isRefusal(options)) return options
    const accepted = await acceptWithin({ loaded, payload, options, rights, request, where: request.where })
    if (isRefusal(accepted)) return accepted
    if (!command.answer) return undefined
    const context = { payload: accepted.payload, ...services.contextOf(loaded), request }
    return checkedAnswer(await command.answer(context))
  }

  async function run({ command, payload = {}, clients, where, ...options }: FoundRun, rights: Rights) {
    const loaded = deps.findCommand(command)
    if (!loaded) return refuse(`command: there is no command ${command}`)
    const full = { ...payload, clients }
    const refusal = checkCommand(rights, loaded) ?? checkRunnable(loaded, full, options)
    if (refusal) return refusal
    const accepted = await acceptWithin({ loaded, payload: full, options, rights, where })
    return isRefusal(accepted) ? accepted : (accepted.job ?? 0)
  }

  return { execute, run }
}

/** Runs what stores the job of this payload, unless too many parts wait already. */
async function limitWaiting<Result>(
  { loaded, options, rights }: Execution,
  payload: unknown,
  run: () => Promise<Result>,
  deps: RunDeps,
): Promise<Result | Refusal> {
  const parts = await countWaiting(loaded, payload, options, deps)
  return deps.waitingLimits.guard({ ...askedBy(rights), parts, steps: withoutClients(payload) }, run)
}

/** Why a pack cannot start a command. */
function checkRunnable(
  { name, command, checkPayload }: LoadedCommand,
  payload: object,
  { queue, wake }: QueueOptions,
): Refusal | undefined {
  const { forward, act } = command
  if (!forward && !act) return refuse(`command: expected one that works on clients, got ${name}`)
  if (queue !== undefined) {
    if (!forward) return refuse(`queue: expected a command that is sent to agents, got ${name}`)
    if (!Number.isInteger(queue) || queue < 1) return refuse(`queue: expected seconds, got ${showValue(queue)}`)
  } else if (wake) return refuse('wake: expected queue with it, got none')
  const mismatch = checkPayload?.(payload)
  return mismatch === undefined ? undefined : refuse(mismatch)
}

/** Resolves to the job's id when the job is stored; the agents are sent their requests before that. */
async function runJob(
  { loaded, options, rights, request, where }: Execution,
  accepted: Accepted,
  { skipped, late }: { skipped: SkippedClients; late: SkippedClients },
  deps: RunDeps,
): Promise<number | Refusal> {
  const { dispatch, recorder, clock } = deps
  const { name, command } = loaded
  const steps = [{ command: name, payload: withoutClients(accepted.payload) }]
  const source = request ? ({ origin: 'request', caller: request.caller } as const) : ({ origin: 'pack' } as const)
  const job = recorder.begin({ ...source, name, ...askedBy(rights), steps, ...(where !== undefined && { where }) })
  for (const [client, reason] of [...skipped, ...late])
    job.add({ client, step: 0, state: 'skipped', reason, ended: clock.now() })
  const step = { job, index: 0, loaded }
  const others = { ...accepted, payload: withoutSkipped(accepted.payload, late) }
  const allowed = request ? others : await skipMaintenance(job, others, deps)
  if (command.forward) await dispatch.forward(step, allowed, options)
  else await dispatch.act(step, allowed.payload)
  return job.store()
}

/** Adds the parts of computers in maintenance, and resolves to the payload for the others. */
async function skipMaintenance(job: OpenJob, accepted: Accepted, { store, clock }: RunDeps): Promise<Accepted> {
  const clients = clientsOf(accepted.payload)
  const computers = await store.computers.findMany(clients)
  const skipped = new Set(computers.filter(({ maintenance }) => maintenance).map(({ ip }) => ip))
  if (skipped.size === 0) return accepted
  for (const client of skipped) {
    job.add({ client, step: 0, state: 'skipped', reason: 'maintenance', ended: clock.now() })
  }
  const others = clients.filter(addr => !skipped.has(addr))
  return { ...accepted, payload: { ...withoutClients(accepted.payload), clients: others } }
}

/** What hooks decide about the clients of a payload. */
const decideFor = async ({ loaded, rights }: Execution, payload: unknown, { decider }: RunDeps) =>
  decider.concerns(loaded)
    ? decide({ loaded, payload, clients: clientsOf(payload), rights, begins: true }, decider)
    : noneSkipped

/** The accepted payload with the clients that have not been counted. */
function addedClients(payload: unknown, accepted: unknown): object {
  const counted = new Set(clientsOf(payload))
  const clients = clientsOf(accepted).filter(addr => !counted.has(addr))
  return { ...withoutClients(accepted), clients }
}

function checkedAnswer(answer: unknown): object | undefined {
  if (answer === undefined || answer === null) return undefined
  if (answer instanceof Object && typeof answer !== 'function') return answer
  throw new Error(`answer: expected an object, nothing or a refusal, got ${showValue(answer)}`)
}

/** Parses `?queue=1&expires=<seconds>&wake=1`, which every command that works on clients takes. */
function parseQueueOptions(
  { command, name }: LoadedCommand,
  query: Readonly<Record<string, string>>,
  limits: Limits,
): QueueOptions | Refusal {
  if (!command.forward && !command.act) return {}
  const { queue = '0', wake = '0', expires } = query
  if (!/^[01]$/.test(queue)) return refuse(`?queue: expected 0 or 1, got ${queue}`)
  if (!/^[01]$/.test(wake)) return refuse(`?wake: expected 0 or 1, got ${wake}`)
  if (expires !== undefined && !/^[1-9]\d{0,8}$/.test(expires)) {
    return refuse(`?expires: expected seconds, got ${expires}`)
  }
  if (queue === '0') {
    return expires === undefined && wake === '0' ? {} : refuse('?queue: expires and wake require queue=1')
  }
  if (!command.forward) return refuse(`?queue: expected a command that is sent to agents, got ${name}`)
  return { queue: expires === undefined ? limits.expiry_seconds : Number(expires), wake: wake === '1' }
}
