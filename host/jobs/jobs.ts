// Creates what runs commands: jobs, the queue and the ways into them.
import { limitLog } from '../log/throttled-log.ts'
import type { JobsDeps } from './deps.ts'
import { createDispatch } from './dispatch.ts'
import { Drain } from './drain.ts'
import { createExecute } from './execute.ts'
import { HostJobs } from './host-jobs.ts'
import { createPackRuns } from './pack-runs.ts'
import { createPrepare } from './prepare.ts'
import { lostRights, PartRights } from './queue/part-rights.ts'
import { Queue } from './queue/queue.ts'
import type { QueueDeps } from './queue/queue-deps.ts'
import { createHostOf } from './queue/queue-ownership.ts'
import { WaitingLimits } from './queue/waiting-limits.ts'
import { JobEvents } from './record/job-events.ts'
import { JobStore } from './record/job-store.ts'
import { JobTrimmer } from './record/job-trimmer.ts'
import { JobRecorder } from './record/recorder.ts'
import { RunningParts } from './record/running-parts.ts'
import { createJobsService } from './service.ts'
import { createFindMissing } from './steps/missing-records.ts'
import { createResolveRuns } from './steps/resolve-runs.ts'
import { createResolveSteps } from './steps/resolve-steps.ts'
import { createRunSteps } from './steps/run-steps.ts'

export type Jobs = ReturnType<typeof createJobs>

export function createJobs(deps: JobsDeps) {
  const { findFlagged } = deps
  const running = new RunningParts()
  const jobEvents = new JobEvents(deps)
  const base = { ...deps, running, jobEvents, throttledLog: limitLog(deps.log), hostOf: createHostOf(deps) }
  const jobStore = new JobStore({ ...base, cancelAgain: job => host.cancelAgain(job) })
  const recorder = new JobRecorder({ ...deps, jobStore, startJob: (...job) => host.startJob(...job) })
  const trimmer = new JobTrimmer(deps)
  const [prepare, rights] = [createPrepare(deps), new PartRights(deps)]
  const queueDeps: QueueDeps = {
    ...{ ...base, recorder, prepare, rights },
    queueCommand: () => findFlagged('beforeQueue'),
    handOver: (addr, part) => host.handOver(addr, part),
    giveBack: part => host.giveBack(part),
    stopGivingBack: part => host.stopGivingBack(part),
    whyHeld: () => drain.refusal()?.refused,
  }
  const queue = new Queue(queueDeps)
  const drain = new Drain({ queue, running, log: deps.log })
  const host = new HostJobs({ ...queueDeps, queue })
  const dispatch = createDispatch({ ...deps, prepare })
  const resolveSteps = createResolveSteps(deps)
  const resolveRuns = createResolveRuns(deps, resolveSteps)
  const { ensureWritable, cancel, stop, cancelFor, emitEnded } = host
  const runDeps = { ...deps, ensureWritable, prepare, recorder, dispatch, waitingLimits: new WaitingLimits(deps) }
  const runSteps = createRunSteps(runDeps)
  const { execute, run } = createExecute(runDeps)
  return {
    execute: drain.guardExecute(execute),
    queue,
    cancelFor,
    /** Cancels the waiting parts whose callers may not send them any more. */
    cancelRefused: () => queue.cancel({ isRefused: (...part) => rights.refusalOf(...part) !== undefined }, lostRights),
    emitEnded,
    drain,
    readQueues: () => host.readQueues(),
    /** What schedules may run. */
    resolveRuns,
    findMissing: createFindMissing(deps),
    service: {
      ...drain.guardService(
        createJobsService({ ...runDeps, cancel, stop, resolveSteps, resolveRuns, runSteps, queue }),
      ),
      runForPack: createPackRuns({ ...deps, run: drain.guardRun(run) }),
    },
    /** The request of the command with `onConnect`, for an agent that has just connected. */
    connectRequest: (addr: string) => prepare.plainRequest(findFlagged('onConnect'), [addr]),
    /** Seconds in which an agent has to reply; undefined for a command that is not sent to agents, or not loaded. */
    deadlineOf(name: string, payload: unknown, sent: number): number | undefined {
      const loaded = deps.findCommand(name)
      return loaded?.command.forward && prepare.deadlineOf(loaded, payload, sent)
    },
    /** Continues the jobs of the store. To be called when commands are loaded and before agents connect. */
    async start(): Promise<void> {
      await deps.slots?.read()
      await host.start()
      await trimmer.start()
    },
    /** Starts nothing new; resolves when all known outcomes are stored. */
    async close(): Promise<void> {
      trimmer.close()
      queue.close()
      await host.close()
      await recorder.close()
      jobEvents.close()
    },
  }
}
