// Creates what runs commands: jobs, the queue and the ways into them.
import type { Store } from '../../stores/store.ts'
import type { AgentRequest } from '../agents/agent-request.ts'
import type { Fleet } from '../agents/fleet.ts'
import type { LoadedCommand } from '../loaded-command.ts'
import { isRefusal } from '../refusal.ts'
import type { JobsService, Limits, WakeService } from '../services.ts'
import type { Clock } from '../system/clock.ts'
import type { Events } from '../system/events.ts'
import type { Log } from '../system/log.ts'
import type { CommandServices } from './command-services.ts'
import { createDispatch } from './dispatch.ts'
import { createExecute, type Execute } from './execute.ts'
import { JobTrimmer } from './job-trimmer.ts'
import { createPrepare } from './prepare.ts'
import { Queue } from './queue.ts'
import { JobRecorder } from './recorder.ts'
import { createResolveSteps } from './resolve-steps.ts'
import { createRunSteps } from './run-steps.ts'
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
  service: JobsService & ScheduleRunner
  /** The request of the command with `onConnect`, for an agent that has just connected. */
  connectRequest(addr: string): AgentRequest | undefined
  /** Continues the jobs of the store. To be called when commands are loaded and before agents connect. */
  start(): Promise<void>
  /** Starts nothing new; resolves when all known outcomes are stored. */
  close(): Promise<void>
}

export function createJobs(deps: JobsDeps): Jobs {
  const { findFlagged } = deps
  const recorder = new JobRecorder(deps)
  const trimmer = new JobTrimmer(deps)
  const prepare = createPrepare(deps)
  const queue = new Queue({ ...deps, prepare, recorder, queueCommand: () => findFlagged('beforeQueue') })
  const dispatch = createDispatch({ ...deps, prepare })
  const resolveSteps = createResolveSteps(deps)
  const runSteps = createRunSteps({ ...deps, prepare, recorder, queue })
  return {
    execute: createExecute({ ...deps, prepare, dispatch, recorder, queue }),
    queue,
    service: createJobsService({ ...deps, resolveSteps, runSteps, queue, recorder, dispatch, prepare }),
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
