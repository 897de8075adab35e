// Sends one step of a job to its clients, skips or queues the clients that cannot take it, and runs local actions.
import type { AgentRequest } from '../agents/agent-request.ts'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import type { Outcome } from '../contract/services.ts'
import { message } from '../log/log.ts'
import type { Clock } from '../system/clock.ts'
import { createMutex } from '../system/mutex.ts'
import { forEachChunk } from '../system/time-slices.ts'
import type { CommandServices } from './command-services.ts'
import type { JobsDeps } from './deps.ts'
import { sendable } from './preflight.ts'
import { type Accepted, clientsOf, type Prepare } from './prepare.ts'
import type { WaitingLimits } from './queue/waiting-limits.ts'
import type { OpenJob } from './record/open-job.ts'
import type { JobRecorder } from './record/recorder.ts'

/** The query of a command that forwards. */
export interface QueueOptions {
  /** Clients that are off or busy get the command later; seconds that it may wait. */
  queue?: number
  /** Clients that are off are woken. */
  wake?: boolean
}

/** One step of a job that is being sent. */
export interface Step {
  job: OpenJob
  /** Index in the job's steps. */
  index: number
  loaded: LoadedCommand
}

type Dispatch = ReturnType<typeof createDispatch>

/** What all ways into jobs share. */
export interface RunDeps extends JobsDeps {
  prepare: Prepare
  recorder: JobRecorder
  dispatch: Dispatch
  waitingLimits: WaitingLimits
}

/** Clients that are sent a request in one tick; other work runs between two such groups. */
export const clientsPerTick = 200

export function createDispatch(deps: JobsDeps & { prepare: Prepare }) {
  const { store, fleet, cluster, services, wake, prepare, clock } = deps
  const exclusive = createMutex()

  /** Clients without a connection: unknown ones are skipped, known ones wait until they are switched on. */
  async function handleDisconnected(job: OpenJob, parts: [number, string][], options: QueueOptions): Promise<void> {
    if (parts.length === 0) return
    const computers = await store.computers.findMany(parts.map(([, addr]) => addr))
    const known = new Set(computers.map(({ ip }) => ip))
    for (const [part, addr] of parts) {
      if (!known.has(addr)) job.change(part, { state: 'skipped', reason: 'unknown', ended: clock.now() })
    }
    if (options.queue === undefined || !options.wake) return
    await Promise.all(parts.map(([, addr]) => known.has(addr) && wake.send(addr, 'broadcast')))
  }

  /** Resolves to the part and address of each client that is not connected. */
  async function send({ job, index }: Step, request: AgentRequest, clients: string[], { queue }: QueueOptions) {
    const disconnected: [number, string][] = []
    const sendOne = (addr: string) => {
      const now = clock.now()
      const part = job.add({ client: addr, step: index, state: 'sent', sent: now })
      // What may wait is not sent to a computer that goes down.
      const result = queue !== undefined && fleet.isLeaving(addr) ? 'busy' : fleet.send(addr, request, part)
      if (result === 'sent') return
      if (result === 'not connected') {
        const remote = cluster.remote.find(addr)
        // Its host knows whether it is busy.
        if (remote) return job.assign(part, remote.host, queue)
        disconnected.push([part, addr])
      }
      if (queue === undefined) job.change(part, { state: 'skipped', reason: result, sent: 0, ended: now })
      else job.change(part, { state: 'queued', sent: 0, expires: queue })
    }
    await forEachChunk(clients, clientsPerTick, chunk => fleet.batchWrites(() => chunk.forEach(sendOne)))
    return disconnected
  }

  return {
    /** Adds a part for each client and sends to the clients that can take the command now. */
    async forward(step: Step, accepted: Accepted, options: QueueOptions): Promise<void> {
      const { job, loaded } = step
      const onEnd: AgentRequest['onEnd'] = (_, outcome, part) => job.end(part, outcome)
      const request = prepare.toAgentRequest(loaded, accepted, { onEnd, step })
      if (!request) return
      const { preflight, imaging } = loaded.command
      const clients = preflight || imaging ? await sendable(step, accepted, options, deps) : clientsOf(accepted.payload)
      const sendAll = () => send(step, request, clients, options)
      // Of two large requests for the same clients the first one gets all of them.
      const disconnected = await (clients.length > clientsPerTick ? exclusive(sendAll) : sendAll())
      await handleDisconnected(job, disconnected, options)
    },

    /** Adds a part for each client and runs the command's `act` for it. */
    async act({ job, index, loaded }: Step, payload: unknown): Promise<void> {
      const actOnOne = async (addr: string) => {
        const part = job.add({ client: addr, step: index, state: 'sent', sent: clock.now() })
        endAction(job, part, await act(loaded, addr, payload, services), clock)
      }
      await Promise.all(clientsOf(payload).map(actOnOne))
    },
  }
}

/** The part ends now, or when work that goes on has ended. */
export function endAction(job: OpenJob, part: number, { result, reason = '', end }: Outcome, clock: Clock): void {
  if (!end) return job.change(part, { state: result, reason, ended: clock.now() })
  const failed = (error: unknown): Outcome => ({ result: 'failure', reason: message(error) })
  void end.catch(failed).then(outcome => endAction(job, part, outcome, clock))
}

/** Runs a command's `act` for one client. An exception is a failure of that client. */
export async function act(
  loaded: LoadedCommand,
  addr: string,
  payload: unknown,
  services: CommandServices,
): Promise<Outcome> {
  try {
    const context = { client: { addr }, payload, ...services.contextOf(loaded) }
    return (await loaded.command.act?.(context)) ?? { result: 'success' }
  } catch (error) {
    return { result: 'failure', reason: message(error) }
  }
}
