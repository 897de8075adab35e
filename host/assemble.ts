// Puts lasting work together: jobs, queue, runs and schedules, and the services by which commands reach them.

import type { Schedule, Store } from '../stores/store.ts'
import type { Fleet } from './agents/fleet.ts'
import type { Boot } from './boot/boot-files.ts'
import { createBootService } from './boot/service.ts'
import { createComputers } from './computers/service.ts'
import { createDispatch } from './jobs/dispatch.ts'
import { createExecute, type Execute } from './jobs/execute.ts'
import { createPrepare, type LoadedCommand, type Prepare } from './jobs/prepare.ts'
import { Queue } from './jobs/queue.ts'
import { JobRecorder } from './jobs/recorder.ts'
import { createResolveSteps } from './jobs/resolve-steps.ts'
import { createRun } from './jobs/run-steps.ts'
import { createJobsService } from './jobs/service.ts'
import { isRefusal } from './refusal.ts'
import { Scheduler } from './schedules/scheduler.ts'
import { createSchedulesService } from './schedules/service.ts'
import type { Limits, Services } from './services.ts'
import type { Clock } from './system/clock.ts'
import type { Events } from './system/events.ts'
import type { Log } from './system/log.ts'

export interface WorkDeps {
  store: Store
  fleet: Fleet
  events: Events
  log: Log
  clock: Clock
  limits: Limits
  /** Option `deadlines`. */
  deadlines: Record<string, number>
  /** All services but those that are made here. */
  services: Omit<Services, 'jobs' | 'schedules' | 'boot' | 'computers'>
  boot: Boot
  /** Option `boot.oglives`. */
  oglives?: string
  /** A loaded command by its name. */
  find(name: string): LoadedCommand | undefined
  /** The command that is sent to an agent for which work waits. */
  queueCommand(): LoadedCommand | undefined
}

export interface Assembly {
  perform: Execute
  orders: Prepare
  /** How many parts wait for their client. */
  readonly queued: number
  /** Takes up what the store has, when the commands are loaded and before agents connect. */
  start(): Promise<void>
  /** Nothing new begins; resolves when all that is known of outcomes is stored. */
  close(): Promise<void>
}

const trimMilliseconds = 3_600_000
/** New jobs after which the old ones are trimmed before the hour is over. */
const trimJobs = 100
const dayMilliseconds = 86_400_000

export function assemble(deps: WorkDeps): Assembly {
  const { store, clock, limits, log, events } = deps
  // Rooms and what is behind them need each other; all are there before the first command runs.
  const services: Services = {
    ...deps.services,
    get jobs() {
      return jobsRoom
    },
    get schedules() {
      return calendarRoom
    },
    get boot() {
      return bootFiles
    },
    get computers() {
      return computers
    },
  }
  const jobs = new JobRecorder(deps)
  const orders = createPrepare({ ...deps, services })
  const queue = new Queue({ ...deps, jobs, orders })
  const plan = createResolveSteps(deps)
  const dispatch = createDispatch({ ...deps, services, orders })
  const run = createRun({ ...deps, services, orders, jobs, queue })
  const jobsRoom = createJobsService({ ...deps, plan, run, queue, dispatch, jobs, orders })
  const scheduler = new Scheduler({ store, clock, log, run: schedule => runScheduled(schedule) })
  const bootFiles = createBootService({ ...deps, ...deps.services })
  const cancelFor = (clients: string[]) => void queue.cancel({ clients }, 'computer deleted')
  const computers = createComputers({ ...deps, bootFiles, cancelFor })
  const calendarRoom = createSchedulesService({ ...deps, scheduler })

  async function runScheduled({ type, task, name, id }: Schedule): Promise<void> {
    const job = await jobsRoom.runSchedule(type, task, name)
    if (isRefusal(job)) log.warn('schedules', `${id} ${name}: ${job.refused}`)
  }

  async function trim(): Promise<void> {
    const before = clock.now() - limits.jobs_days * dayMilliseconds
    await store.jobs
      .trim({ before, keep: limits.jobs_count })
      .catch(error => log.error('jobs', 'old jobs could not be deleted', error))
  }

  let trimming: NodeJS.Timeout | undefined
  let created = 0
  const count = () => {
    created += 1
    if (created % trimJobs === 0) void trim()
  }
  const silence = events.on(count, ['job-created'])
  return {
    perform: createExecute({ services, orders, dispatch, jobs, queue, limits }),
    orders,
    get queued() {
      return queue.depth
    },
    async start() {
      await queue.start()
      await scheduler.start()
      await trim()
      trimming = setInterval(() => void trim(), trimMilliseconds).unref()
    },
    async close() {
      clearInterval(trimming)
      silence()
      scheduler.close()
      queue.close()
      await jobs.close()
    },
  }
}
