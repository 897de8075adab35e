// Schedules of several hosts: each has the timers of all, and a firing is run once in the fleet.
import type { Firing, Schedule, Store } from '../../stores/store.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { FailureLog } from '../cluster/failure-log.ts'
import type { Log } from '../log/log.ts'
import type { Clock } from '../system/clock.ts'
import type { Events, FleetEvent } from '../system/events.ts'

export interface SharedSchedulesDeps {
  cluster: Pick<Cluster, 'key' | 'members' | 'isMember' | 'isLeader' | 'feed'> & {
    work: Pick<Cluster['work'], 'claimFiring'>
  }
  store: { schedules: Pick<Store['schedules'], 'list'> }
  clock: Clock
  log: Log
  events: Events
  /** This host accepts no new work: another one is to run what is due. */
  isDraining(): boolean
}

/** What has timers of schedules. */
export interface ScheduleTimers {
  register(schedule: Schedule): void
  forget(id: number): void
  /** The schedules that it has. */
  ids(): number[]
}

/** The leader runs a firing at once, the other hosts so much later each, if it has not been run by then. */
const rankMilliseconds = 300

/** Until schedules are read again after that has failed. */
const retryMilliseconds = 5000

const changes = ['schedule-added', 'schedule-changed', 'schedule-removed'] as const satisfies FleetEvent['type'][]

export class SharedSchedules {
  readonly #deps: SharedSchedulesDeps
  #timers: ScheduleTimers | undefined
  #reading: Promise<Schedule[]> | undefined
  #retry: NodeJS.Timeout | undefined
  readonly #unsubscribe: () => void
  readonly #failures: FailureLog

  constructor(deps: SharedSchedulesDeps) {
    this.#deps = deps
    this.#failures = new FailureLog(deps.log, {
      where: 'schedules',
      failed: 'changes of other hosts cannot be read, tried again',
      succeeded: 'changes of other hosts are read again',
    })
    this.#unsubscribe = deps.events.on((event, isRelayed) => {
      if (isRelayed && 'schedule' in event) void this.#update(event.schedule)
    }, changes)
    deps.cluster.feed.onGap(() => void this.#updateAll())
  }

  /** Keeps the timers in step with the changes of other hosts. */
  follow(timers: ScheduleTimers): void {
    this.#timers = timers
  }

  isLeader(): boolean {
    return this.#deps.cluster.isLeader()
  }

  /** Resolves to the schedule as it is stored when this host is to run it; undefined when another one has run it. */
  async findDue({ schedule: id, time }: Firing): Promise<Schedule | undefined> {
    const { cluster, clock, isDraining } = this.#deps
    const { name } = cluster.key()
    const rank = cluster.members().findIndex(member => member.name === name)
    if (rank !== 0) await new Promise<void>(resolve => clock.after(Math.abs(rank) * rankMilliseconds, resolve))
    if (!this.#timers || (isDraining() && cluster.members().length > 1)) return undefined
    const schedule = await this.#find(id)
    return schedule && !schedule.suspended && schedule.since < time ? schedule : undefined
  }

  /** As a firing without a job: false when another host has run or skipped it. */
  claim(firing: Firing): Promise<boolean> {
    return this.#deps.cluster.work.claimFiring(firing)
  }

  /** Whether this host is to report that runs were missed: no host was there to run them. */
  async claimMissed(id: number): Promise<boolean> {
    const { cluster, clock } = this.#deps
    return cluster.isLeader() && this.claim({ schedule: id, time: clock.now() })
  }

  close(): void {
    this.#timers = undefined
    clearTimeout(this.#retry)
    this.#unsubscribe()
  }

  async #find(id: number): Promise<Schedule | undefined> {
    return (await this.#read()).find(schedule => schedule.id === id)
  }

  /** Schedules are often due together: they share one read. */
  #read(): Promise<Schedule[]> {
    this.#reading ??= this.#deps.store.schedules.list().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #update(id: number): Promise<void> {
    try {
      const schedule = await this.#deps.store.schedules.list().then(list => list.find(one => one.id === id))
      if (schedule) this.#timers?.register(schedule)
      else this.#timers?.forget(id)
    } catch (error) {
      this.#failed(error)
    }
  }

  async #updateAll(): Promise<void> {
    try {
      const schedules = await this.#deps.store.schedules.list()
      const ids = new Set(schedules.map(({ id }) => id))
      for (const id of this.#timers?.ids() ?? []) if (!ids.has(id)) this.#timers?.forget(id)
      for (const schedule of schedules) this.#timers?.register(schedule)
      this.#failures.succeeded()
    } catch (error) {
      this.#failed(error)
    }
  }

  #failed(error: unknown): void {
    if (!this.#timers) return
    this.#failures.failed(error)
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.#updateAll(), retryMilliseconds)
  }
}
