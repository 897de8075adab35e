// Puts lasting work together: jobs, queue, runs and schedules, and the rooms by which commands reach them.

import type { Schedule, Store } from '../stores/store.ts'
import type { Fleet } from './agents/fleet.ts'
import type { Boot } from './boot/boot-files.ts'
import { createBootFiles } from './boot/service.ts'
import { createComputers } from './computers/service.ts'
import { createDispatch } from './jobs/dispatch.ts'
import { createPerform, type Perform } from './jobs/execute.ts'
import { createOrders, type Orders, type Performable } from './jobs/prepare.ts'
import { Queue } from './jobs/queue.ts'
import { Jobs } from './jobs/recorder.ts'
import { createPlan } from './jobs/resolve-steps.ts'
import { createRun } from './jobs/run-steps.ts'
import { createJobsRoom } from './jobs/service.ts'
import { isRefusal } from './refusal.ts'
import { Scheduler } from './schedules/scheduler.ts'
import { createCalendarRoom } from './schedules/service.ts'
import type { Limits, Rooms } from './services.ts'
import type { Clock } from './system/clock.ts'
import type { Events } from './system/events.ts'
import type { Log } from './system/log.ts'

export interface WorkParts {
  store: Store
  fleet: Fleet
  events: Events
  log: Log
  clock: Clock
  limits: Limits
  /** Option `deadlines`. */
  deadlines: Record<string, number>
  /** All rooms but those that are made here. */
  rooms: Omit<Rooms, 'jobs' | 'calendar' | 'boot' | 'computers'>
  boot: Boot
  /** Option `boot.oglives`. */
  oglives?: string
  /** A loaded command by its name. */
  find(name: string): Performable | undefined
  /** The command that is sent to an agent for which work waits. */
  herald(): Performable | undefined
}

export interface Work {
  perform: Perform
  orders: Orders
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

export function createWork(given: WorkParts): Work {
  const { store, clock, limits, log, events } = given
  // Rooms and what is behind them need each other; all are there before the first command runs.
  const rooms: Rooms = {
    ...given.rooms,
    get jobs() {
      return jobsRoom
    },
    get calendar() {
      return calendarRoom
    },
    get boot() {
      return bootFiles
    },
    get computers() {
      return computers
    },
  }
  const jobs = new Jobs(given)
  const orders = createOrders({ ...given, rooms })
  const queue = new Queue({ ...given, jobs, orders })
  const plan = createPlan(given)
  const dispatch = createDispatch({ ...given, rooms, orders })
  const run = createRun({ ...given, rooms, orders, jobs, queue })
  const jobsRoom = createJobsRoom({ ...given, plan, run, queue, dispatch, jobs, orders })
  const scheduler = new Scheduler({ store, clock, log, run: schedule => runScheduled(schedule) })
  const bootFiles = createBootFiles({ ...given, ...given.rooms })
  const cancelFor = (clients: string[]) => void queue.cancel({ clients }, 'computer deleted')
  const computers = createComputers({ ...given, bootFiles, cancelFor })
  const calendarRoom = createCalendarRoom({ ...given, scheduler })

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
    perform: createPerform({ rooms, orders, dispatch, jobs, queue, limits }),
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
