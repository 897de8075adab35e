// Creates what runs commands: jobs, the queue and the ways into them.
import type { EndedWork, Store } from '../../stores/store.ts'
import type { AgentRequest } from '../agents/agent-request.ts'
import type { Fleet } from '../agents/fleet.ts'
import type { LoadedCommand } from '../contract/loaded-command.ts'
import { isRefusal } from '../contract/refusal.ts'
import type { JobRuns, Limits, WakeService } from '../contract/services.ts'
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
import { createPrepare } from './prepare.ts'
import { lostRights, PartRights, type PartRightsDeps } from './queue/part-rights.ts'
import { Queue } from './queue/queue.ts'
import { WaitingLimits } from './queue/waiting-limits.ts'
import { JobEvents } from './record/job-events.ts'
import { JobTrimmer } from './record/job-trimmer.ts'
import type { StartJob } from './record/open-job.ts'
import { JobRecorder } from './record/recorder.ts'
import { resumeJobs } from './record/resume-jobs.ts'
import { RunningWork } from './record/running-work.ts'
import { createOwnWork } from './record/work-store.ts'
import { type CancelledJob, createJobsService, type ScheduleRunner } from './service.ts'
import type { JobsCluster } from './several-hosts/jobs-cluster.ts'
import { SharedJobs } from './several-hosts/shared-jobs.ts'
import { createResolveRuns, type ResolveRuns } from './steps/resolve-runs.ts'
import { createResolveSteps } from './steps/resolve-steps.ts'
import { createRunSteps } from './steps/run-steps.ts'

export interface JobsDeps extends PartRightsDeps {
  store: Store
  fleet: Pick<Fleet, 'send' | 'batchWrites' | 'has' | 'hasLocal' | 'isReady'>
  /** The other hosts of the fleet; absent in a daemon that runs alone. */
  cluster?: JobsCluster
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
  /** Cancels the waiting parts of clients, those of the whole fleet. */
  cancelFor(clients: string[], reason: string): void
  /** Cancels the waiting parts whose callers may not send them any more. */
  cancelRefused(): void
  /** With several hosts: emits the events of parts that the store has ended with the membership of a host. */
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
  const { findFlagged } = deps
  const running = new RunningWork()
  const jobEvents = new JobEvents(deps)
  const shared = deps.cluster && new SharedJobs({ ...deps, cluster: deps.cluster, running, jobEvents })
  const work = shared?.work ?? createOwnWork({ ...deps, running, jobEvents })
  const recorder = new JobRecorder({ ...deps, work, startJob: (...job) => startJob(...job) })
  const trimmer = new JobTrimmer(deps)
  const prepare = createPrepare(deps)
  const rights = new PartRights(deps)
  const queueCommand = () => findFlagged('beforeQueue')
  const handOver = shared && { handOver: shared.handOver.bind(shared) }
  const limitedLog = limitLog(deps.log)
  const queue = new Queue({ ...deps, ...handOver, limitedLog, prepare, rights, recorder, running, queueCommand })
  const drain = new Drain({ queue, running, log: deps.log })
  shared?.connect({ queue, recorder, prepare, whyHeld: () => drain.refusal()?.refused })
  const { cancelFor, startJob, ...ways } = shared ? sharedWays(shared, deps) : ownWays(queue, deps)
  const dispatch = createDispatch({ ...deps, prepare })
  const resolveSteps = createResolveSteps(deps)
  const resolveRuns = createResolveRuns({ ...deps, resolveSteps })
  const common = { ...deps, ...ways, prepare, recorder, dispatch, waitingLimits: new WaitingLimits(deps) }
  const runSteps = createRunSteps(common)
  const serviceDeps = { ...common, resolveSteps, resolveRuns, runSteps, queue }
  return {
    execute: drain.guardExecute(createExecute(common)),
    queue,
    cancelFor,
    cancelRefused: () =>
      void queue.cancel({ isRefused: (...part) => rights.refusalOf(...part) !== undefined }, lostRights),
    emitEnded: ended => shared?.emitEnded(ended),
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
      await (shared ? shared.start() : resumeJobs({ ...deps, recorder, running, jobEvents, queue }))
      await trimmer.start()
    },
    async close() {
      trimmer.close()
      queue.close()
      await shared?.close()
      await recorder.close()
      jobEvents.close()
    },
  }
}

/** What differs with several hosts. */
interface Ways extends Pick<JobsDeps, 'ensureWritable'>, Pick<Jobs, 'cancelFor'> {
  startJob: StartJob
  cancelQueued(target: CancelledJob, reason: string): number | Promise<number>
}

const ownWays = (queue: Queue, { ensureWritable }: JobsDeps): Ways => ({
  ensureWritable,
  startJob: (id, { job, parts }) => void queue.add({ ...job, id }, parts),
  cancelQueued: (target, reason) => queue.cancel(target, reason),
  cancelFor: (clients, reason) => void queue.cancel({ clients }, reason),
})

const sharedWays = (shared: SharedJobs, { ensureWritable }: JobsDeps): Ways => ({
  ensureWritable: () => shared.ensureWritable(ensureWritable),
  startJob: (id, job) => shared.startJob(id, job),
  cancelQueued: (target, reason) => shared.cancel(target, reason),
  cancelFor: (clients, reason) => shared.cancelFor(clients, reason),
})
