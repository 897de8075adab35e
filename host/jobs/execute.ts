// Executes one caller's request for a command: accepts the payload, forwards or acts, and returns the answer.
import { askedBy, checkClients } from '../access/rights.ts'
import type { Limits } from '../config/options.ts'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import { isRefusal, refuse } from '../contract/refusal.ts'
import type { Refusal, Request } from '../contract/services.ts'
import { showValue } from '../log/shown-text.ts'
import { decide, noneSkipped, withoutSkipped } from './decide.ts'
import type { SkippedClients } from './decider.ts'
import type { QueueOptions, RunDeps } from './dispatch.ts'
import { countWaiting, preview } from './preflight.ts'
import { type Accepted, clientsOf, withoutClients } from './prepare.ts'

/**
 * The payload matches the command's schema. Resolves to an object (JSON or text), nothing, or a refusal. Rejects for bugs and
 * store faults.
 */
export type Execute = (
  loaded: LoadedCommand,
  payload: unknown,
  request: Request,
) => Promise<object | Refusal | undefined>

interface Execution {
  loaded: LoadedCommand
  payload: unknown
  options: QueueOptions
  request: Request
}

export function createExecute(deps: RunDeps): Execute {
  const { services, prepare, waitingLimits, limits, ensureWritable } = deps

  /** Resolves when the command has been accepted, and its job is stored if it has one. */
  async function accept(execution: Execution): Promise<Accepted | Refusal> {
    const { loaded, request } = execution
    const skipped = await decideFor(execution, execution.payload, deps)
    if (isRefusal(skipped)) return skipped
    const payload = withoutSkipped(execution.payload, skipped)
    const accepted = await prepare.accept(loaded, payload, request)
    if (isRefusal(accepted)) return accepted
    const isOther = accepted.payload !== payload
    // A site's `accept` may have added some.
    const outside = isOther && checkClients(request.rights, clientsOf(accepted.payload))
    if (outside) return outside
    const { forward, act } = loaded.command
    if (!forward && !act) return accepted
    const added = isOther ? addedClients(payload, accepted.payload) : {}
    const late = clientsOf(added).length > 0 ? await decideFor(execution, added, deps) : noneSkipped
    if (isRefusal(late)) return late
    const others = { ...accepted, payload: withoutSkipped(accepted.payload, late) }
    const run = () => runJob(execution, others, new Map([...skipped, ...late]), deps)
    const isCounted = isOther && forward
    const job = await (isCounted ? limitWaiting(execution, added, run) : run())
    if (isRefusal(job)) return job
    request.job(job)
    return accepted
  }

  /** Runs what stores the job of this payload, unless too many parts wait already. */
  async function limitWaiting<Result>(
    { loaded, options, request }: Execution,
    payload: unknown,
    run: () => Promise<Result>,
  ): Promise<Result | Refusal> {
    const parts = await countWaiting(loaded, payload, options, deps)
    return waitingLimits.guard({ ...askedBy(request.rights), parts, steps: withoutClients(payload) }, run)
  }

  return async (loaded, payload, request) => {
    const { command } = loaded
    const { rights } = request
    const forbidden =
      rights.isLimited && (await command.checkRights?.({ payload, rights, ...services.contextOf(loaded) }))
    if (forbidden) return forbidden
    const previewed = preview(loaded, payload, request, deps)
    if (previewed) return previewed
    const options = parseQueueOptions(loaded, request.query, limits)
    if (isRefusal(options)) return options
    // Before `accept`, which may store something itself.
    if (command.forward || command.act) await ensureWritable()
    const execution = { loaded, payload, options, request }
    const accepted = await (command.forward
      ? limitWaiting(execution, payload, () => accept(execution))
      : accept(execution))
    if (isRefusal(accepted)) return accepted
    if (!command.answer) return undefined
    const context = { payload: accepted.payload, ...services.contextOf(loaded), request }
    return checkedAnswer(await command.answer(context))
  }
}

/** Resolves to the job's id when the job is stored; the agents are sent their requests before that. */
async function runJob(
  { loaded, options, request: { caller, rights } }: Execution,
  accepted: Accepted,
  skipped: SkippedClients,
  { dispatch, recorder, clock }: RunDeps,
): Promise<number | Refusal> {
  const { name, command } = loaded
  const steps = [{ command: name, payload: withoutClients(accepted.payload) }]
  const job = recorder.begin({ origin: 'request', name, caller, ...askedBy(rights), steps })
  for (const [client, reason] of skipped) job.add({ client, step: 0, state: 'skipped', reason, ended: clock.now() })
  const step = { job, index: 0, loaded }
  if (command.forward) await dispatch.forward(step, accepted, options)
  else await dispatch.act(step, accepted.payload)
  return job.store()
}

/** What hooks decide about the clients of a payload. */
const decideFor = async ({ loaded, request: { rights } }: Execution, payload: unknown, { decider }: RunDeps) =>
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
