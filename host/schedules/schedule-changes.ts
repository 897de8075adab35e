// Keeps the timers of schedules in step with the changes that other hosts of the fleet make.
import type { Schedule, Store } from '../../stores/store.ts'
import type { JobsCluster } from '../cluster/cluster.ts'
import { FailureLog } from '../cluster/failure-log.ts'
import type { Log } from '../log/log.ts'
import type { Events, FleetEvent } from '../system/events.ts'

export interface ScheduleChangesDeps {
  cluster: { feed: Pick<JobsCluster['feed'], 'onGap'> }
  store: { schedules: Pick<Store['schedules'], 'list'> }
  log: Log
  events: Events
}

interface ScheduleTimers {
  register(schedule: Schedule): void
  forget(id: number): void
  /** The schedules that have a timer. */
  ids(): number[]
}

/** Until schedules are read again after that has failed. */
const retryMilliseconds = 5000

const changes = ['schedule-added', 'schedule-changed', 'schedule-removed'] as const satisfies FleetEvent['type'][]

export class ScheduleChanges {
  readonly #deps: ScheduleChangesDeps
  readonly #timers: ScheduleTimers
  #retry: NodeJS.Timeout | undefined
  readonly #unsubscribe: () => void
  readonly #failures: FailureLog
  #isClosed = false

  constructor(deps: ScheduleChangesDeps, timers: ScheduleTimers) {
    this.#deps = deps
    this.#timers = timers
    this.#failures = new FailureLog(deps.log, {
      where: 'schedules',
      failed: 'changes of other hosts cannot be read, tried again',
      succeeded: 'changes of other hosts are read again',
    })
    this.#unsubscribe = deps.events.on((event, isRelayed) => {
      if (isRelayed && 'schedule' in event) void this.#update(event.schedule)
    }, changes)
    deps.cluster.feed.onGap(() => void this.#update())
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#retry)
    this.#unsubscribe()
  }

  /** Reads one schedule, or all. */
  async #update(id?: number): Promise<void> {
    const timers = this.#timers
    try {
      const schedules = await this.#deps.store.schedules.list()
      if (this.#isClosed) return
      const changed = id === undefined ? schedules : schedules.filter(schedule => schedule.id === id)
      const stored = new Set(changed.map(schedule => schedule.id))
      for (const each of id === undefined ? timers.ids() : [id]) if (!stored.has(each)) timers.forget(each)
      for (const schedule of changed) timers.register(schedule)
      if (id === undefined) this.#failures.succeeded()
    } catch (error) {
      if (this.#isClosed) return
      this.#failures.failed(error)
      clearTimeout(this.#retry)
      this.#retry = setTimeout(() => void this.#update(), retryMilliseconds)
    }
  }
}
