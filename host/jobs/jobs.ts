// Creates what runs commands: jobs, the queue and the ways into them.
import type { EndedWork, Store } from '../../stores/store.ts'
import type { AgentRequest } from '../agents/agent-request.ts'
import type { Agents } from '../agents/service.ts'
import type { JobsCluster } from '../cluster/cluster.ts'
import type { Limits } from '../config/options.ts'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import { isRefusal } from '../contract/refusal.ts'
import type { JobRuns, WakeService } from '../contract/services.ts'
import type { WatchImaging } from '../images/imaging-watch.ts'
import type { RepositorySlots } from '../images/repository-slots.ts'
import { limitLog } from '../log/limited-log.ts'
import type { Log } from '../log/log.ts'
import type { Clock } from '../system/clock.ts'
import type { Events } from '../system/events.ts'
import type { CommandServices } from './command-services.ts'
import { createDispatch } from './dispatch.ts'
import { Drain } from './drain.ts'
import { createExecute, type Execute } from './execute.ts'
import { HostJobs } from './host-jobs.ts'
import { createPrepare } from './prepare.ts'
import { lostRights, PartRights, type PartRightsDeps } from './queue/part-rights.ts'
import { Queue } from './queue/queue.ts'
import { createHostOf } from './queue/queue-ownership.ts'
import type { QueuedPart } from './queue/queued-parts.ts'
import { WaitingLimits } from './queue/waiting-limits.ts'
import { JobEvents } from './record/job-events.ts'
import { JobStore } from './record/job-store.ts'
import { JobTrimmer } from './record/job-trimmer.ts'
import { JobRecorder } from './record/recorder.ts'
import { RunningParts } from './record/running-parts.ts'
import { createJobsService, type ScheduleRunner } from './service.ts'
import { createResolveRuns, type ResolveRuns } from './steps/resolve-runs.ts'
import { createResolveSteps } from './steps/resolve-steps.ts'
import { createRunSteps } from './steps/run-steps.ts'

export interface JobsDeps extends PartRightsDeps {
  store: Store
  fleet: Pick<Agents, 'send' | 'batchWrites' | 'has' | 'hasLocal' | 'isReady'>
  cluster: JobsCluster
  wake: WakeService
  events: Events
  log: Log
  clock: Clock
  limits: Limits
  /** Rejects when the job of a command could not be stored: such a command must not be sent. */
  ensureWritable(): Promise<void>
  /** Option `deadlines`. */
  deadlines: Record<string, number>
  watchImaging: WatchImaging | undefined
  slots?: RepositorySlots
  /** Whether somebody uses a client of this host. */
  isLoggedIn?(addr: string): boolean
  services: CommandServices
  findCommand(name: string): LoadedCommand | undefined
  /** The command whose `forward` has this flag. */
  findFlagged(flag: 'onConnect' | 'beforeQueue'): LoadedCommand | undefined
}

export interface Jobs {
  execute: Execute
  queue: Queue
  /** Cancels the waiting parts of clients, whichever host looks after them. */
  cancelFor(clients: string[], reason: string): void
  /** Cancels the waiting parts whose callers may not send them any more. */
  cancelRefused(): void
  /** Emits the events of parts that the store has ended with the membership of a host. */
  emitEnded(ended: readonly EndedWork[]): void
  drain: Drain
  service: JobRuns & ScheduleRunner
  /** What schedules may run. */
  resolveRuns: ResolveRuns
  /** The request of the command with `onConnect`, for an agent that has just connected. */
  connectRequest(addr: string): AgentRequest | undefined
  /** Continues the jobs of the store. To be called when commands are loaded and before agents connect. */
  start(): Promise<void>
  /** Starts nothing new; resolves when all known outcomes are stored. */
  close(): Promise<void>
}

export function createJobs(deps: JobsDeps): Jobs {
  const { findFlagged, cluster } = deps
  const running = new RunningParts()
  const jobEvents = new JobEvents(deps)
  const base = { ...deps, running, jobEvents, hostOf: createHostOf(cluster, deps.fleet) }
  const jobStore = new JobStore(base)
  const recorder = new JobRecorder({ ...deps, jobStore, startJob: (...job) => host.startJob(...job) })
  const trimmer = new JobTrimmer(deps)
  const prepare = createPrepare(deps)
  const rights = new PartRights(deps)
  const queueCommand = () => findFlagged('beforeQueue')
  const handOver = (addr: string, part: QueuedPart) => host.handOver(addr, part)
  const limitedLog = limitLog(deps.log)
  const queue = new Queue({ ...deps, handOver, limitedLog, prepare, rights, recorder, running, queueCommand })
  const drain = new Drain({ queue, running, log: deps.log })
  const whyHeld = () => drain.refusal()?.refused
  const host = new HostJobs({ ...base, queue, recorder, prepare, limitedLog, whyHeld })
  const dispatch = createDispatch({ ...deps, prepare })
  const resolveSteps = createResolveSteps(deps)
  const resolveRuns = createResolveRuns({ ...deps, resolveSteps })
  const { ensureWritable } = host
  const common = { ...deps, ensureWritable, prepare, recorder, dispatch, waitingLimits: new WaitingLimits(deps) }
  const runSteps = createRunSteps(common)
  const serviceDeps = { ...common, cancel: host.cancel, resolveSteps, resolveRuns, runSteps, queue }
  return {
    execute: drain.guardExecute(createExecute(common)),
    queue,
    cancelFor: host.cancelFor,
    cancelRefused: () =>
      void queue.cancel({ isRefused: (...part) => rights.refusalOf(...part) !== undefined }, lostRights),
    emitEnded: host.emitEnded,
    drain,
    resolveRuns,
    service: drain.guardService(createJobsService(serviceDeps)),
    connectRequest(addr) {
      const command = findFlagged('onConnect')
      const accepted = command && prepare.reuse(command, { clients: [addr] })
      return accepted && !isRefusal(accepted) ? prepare.toAgentRequest(command, accepted) : undefined
    },
    async start() {
      await deps.slots?.read()
      await host.start()
      await trimmer.start()
    },
    async close() {
      trimmer.close()
      queue.close()
      await host.close()
      await recorder.close()
      jobEvents.close()
    },
  }
}
