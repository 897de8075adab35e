// Creates what runs commands: jobs, the queue and the ways into them.
import type { Store } from '../../stores/store.ts'
import type { AgentRequest } from '../agents/agent-request.ts'
import type { Fleet } from '../agents/fleet.ts'
import type { LoadedCommand } from '../loaded-command.ts'
import { isRefusal } from '../refusal.ts'
import type { JobsService, Limits, WakeService } from '../services.ts'
import type { Clock } from '../system/clock.ts'
import type { Events } from '../system/events.ts'
import { limitLog } from '../system/limited-log.ts'
import type { Log } from '../system/log.ts'
import type { CommandServices } from './command-services.ts'
import { createDispatch } from './dispatch.ts'
import { Drain } from './drain.ts'
import { createExecute, type Execute } from './execute.ts'
import { JobTrimmer } from './job-trimmer.ts'
import { createPrepare } from './prepare.ts'
import { Queue } from './queue.ts'
import { JobRecorder } from './recorder.ts'
import { createResolveRuns, type ResolveRuns } from './resolve-runs.ts'
import { createResolveSteps } from './resolve-steps.ts'
import { createRunSteps } from './run-steps.ts'
import { RunningWork } from './running-work.ts'
import { createJobsService, type ScheduleRunner } from './service.ts'

export interface JobsDeps {
  store: Store
  fleet: Fleet
  wake: WakeService
  events: Events
  log: Log
  clock: Clock
  limits: Limits
  /** Rejects when the job of a command could not be stored: such a command must not be sent. */
  ensureWritable(): Promise<void>
  /** Option `deadlines`. */
  deadlines: Record<string, number>
  services: CommandServices
  findCommand(name: string): LoadedCommand | undefined
  /** The command whose `forward` has this flag. */
  findFlagged(flag: 'onConnect' | 'beforeQueue'): LoadedCommand | undefined
}

export interface Jobs {
  execute: Execute
  queue: Queue
  drain: Drain
  service: JobsService & ScheduleRunner
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
  const recorder = new JobRecorder({ ...deps, running })
  const trimmer = new JobTrimmer(deps)
  const prepare = createPrepare(deps)
  const queueCommand = () => findFlagged('beforeQueue')
  const queue = new Queue({ ...deps, limitedLog: limitLog(deps.log), prepare, recorder, running, queueCommand })
  const drain = new Drain({ queue, running, log: deps.log })
  const dispatch = createDispatch({ ...deps, prepare })
  const resolveSteps = createResolveSteps(deps)
  const resolveRuns = createResolveRuns({ ...deps, resolveSteps })
  const runSteps = createRunSteps({ ...deps, prepare, recorder, queue })
  return {
    execute: drain.guardExecute(createExecute({ ...deps, prepare, dispatch, recorder, queue })),
    queue,
    drain,
    resolveRuns,
    service: drain.guardService(
      createJobsService({ ...deps, resolveSteps, resolveRuns, runSteps, queue, recorder, dispatch, prepare }),
    ),
    connectRequest(addr) {
      const command = findFlagged('onConnect')
      const accepted = command && prepare.reuse(command, { clients: [addr] })
      return accepted && !isRefusal(accepted) ? prepare.toAgentRequest(command, accepted) : undefined
    },
    async start() {
      await queue.start()
      await trimmer.start()
    },
    async close() {
      trimmer.close()
      queue.close()
      await recorder.close()
    },
  }
}
