// Runs each schedule at its times, and keeps its timers in step with the changes that other hosts make.
import type { Schedule } from '../../stores/store.ts'
import { FailureLog } from '../cluster/failure-log.ts'
import type { Events, FleetEvent } from '../system/events.ts'
import { DueFirings, type DueFiringsDeps } from './due-firings.ts'
import { nextFiring, nextFirings } from './recurrence.ts'

interface SchedulerDeps extends DueFiringsDeps {
  events: Events
}

/**
 * The longest wait of a timer. Timers do not notice that the clock is set or that the machine was suspended: a run may be
 * so much late, and schedules have minutes.
 */
const recheckMilliseconds = 60_000

/** Until schedules are read again after that has failed. */
const retryMilliseconds = 5000

/** Of those that were missed in a row so many are recorded. */
const mostMissed = 30

/** Together longer than the longest lease: by then the other hosts know that one is gone. */
const lookMilliseconds = 15_000
const mostLooks = 45

const changes = ['schedule-added', 'schedule-changed', 'schedule-removed'] as const satisfies FleetEvent['type'][]

export class Scheduler {
  readonly #deps: SchedulerDeps
  /** Functions that cancel the timers, by schedule id. */
  readonly #timers = new Map<number, () => void>()
  readonly #firings: DueFirings
  readonly #unsubscribe: () => void
  readonly #failures: FailureLog
  #retry: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(deps: SchedulerDeps) {
    this.#deps = deps
    this.#firings = new DueFirings(deps)
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

  /** Starts the timers of all stored schedules. Runs missed while the daemon was down are logged, not caught up. */
  async start(): Promise<void> {
    const { store, clock, cluster } = this.#deps
    const started = clock.now()
    for (const schedule of await store.schedules.list()) {
      if (missedBefore(schedule, started) !== undefined) {
        if (cluster.isLeader()) await this.#noteMissed(schedule, started)
        else this.#noteMissedLater(schedule.id, started)
      }
      // Its last firing, when this host ended before that was recorded. A new schedule has had none: it begins between two.
      const last = nextFiring(schedule, new Date(schedule.since - 1))
      if (last?.getTime() === schedule.since) this.#deps.onTaken(schedule, schedule.since)
      this.register(schedule)
    }
  }

  async #noteMissed(schedule: Schedule, started: number): Promise<void> {
    const { log, cluster } = this.#deps
    const missed = missedBefore(schedule, started)
    if (!missed) return
    await this.#addMissed(schedule, new Date(schedule.since), started, 'the daemon was not running')
    if (await cluster.work.claimFiring({ schedule: schedule.id, time: started }))
      log.warn('schedules', `${nameOf(schedule)}: missed ${missed.toISOString()}, the daemon was not running`)
  }

  /** The leader may be a host that is gone since then: after its lease another one is. */
  #noteMissedLater(id: number, started: number, looks = mostLooks): void {
    const { store, clock, log, cluster } = this.#deps
    const look = async () => {
      if (this.#isClosed) return
      if (!cluster.isLeader()) return looks > 1 && this.#noteMissedLater(id, started, looks - 1)
      const schedule = (await store.schedules.list()).find(each => each.id === id)
      if (schedule) await this.#noteMissed(schedule, started)
    }
    const onError = (error: unknown) => {
      log.error('schedules', `${id}: what it has missed is not known, tried again`, error)
      if (looks > 1) this.#noteMissedLater(id, started, looks - 1)
    }
    clock.after(lookMilliseconds, () => void look().catch(onError))
  }

  /** Starts the timer of a new or changed schedule, unless it is suspended. */
  register(schedule: Schedule): void {
    this.forget(schedule.id)
    if (!schedule.suspended) this.#startTimer(schedule, new Date(this.#deps.clock.now()))
  }

  forget(id: number): void {
    this.#timers.get(id)?.()
    this.#timers.delete(id)
  }

  /** Runs a schedule once, now. An error is logged. */
  async fire(schedule: Schedule): Promise<void> {
    const { log, run } = this.#deps
    log.info('schedules', `${nameOf(schedule)}: run started`)
    try {
      await run(schedule)
    } catch (error) {
      log.error('schedules', `${nameOf(schedule)}: run failed`, error)
    }
  }

  missed(id: number): number | undefined {
    return this.#firings.missed(id)
  }

  /** The schedules that have a timer. */
  ids(): number[] {
    return [...this.#timers.keys()]
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#retry)
    this.#unsubscribe()
    for (const id of this.ids()) this.forget(id)
    this.#firings.close()
  }

  #startTimer(schedule: Schedule, after: Date): void {
    const { clock } = this.#deps
    const next = nextFiring(schedule, after)
    if (!next) return
    const wait = () => {
      const remaining = Math.min(next.getTime() - clock.now(), recheckMilliseconds)
      this.#timers.set(schedule.id, clock.after(remaining, recheck))
    }
    const recheck = () => (clock.now() < next.getTime() ? wait() : void this.#runDue(schedule, next))
    wait()
  }

  async #runDue(schedule: Schedule, time: Date): Promise<void> {
    const { log, clock, cluster } = this.#deps
    this.#timers.delete(schedule.id)
    const missed = nextFiring(schedule, time)
    if (missed && missed.getTime() <= clock.now() && cluster.isLeader()) {
      log.warn('schedules', `${nameOf(schedule)}: missed ${missed.toISOString()} and later, the clock was set forward`)
      await this.#addMissed(schedule, time, clock.now(), 'the clock was set forward')
    }
    // Not before the due time: when the clock is set back, no run is repeated.
    this.#startTimer(schedule, new Date(Math.max(time.getTime(), clock.now())))
    await this.#firings.start(schedule, time.getTime())
  }

  /** Those after `from` up to `until`. */
  async #addMissed(schedule: Schedule, from: Date, until: number, reason: string): Promise<void> {
    for (const time of nextFirings(schedule, from, mostMissed).filter(each => each.getTime() <= until))
      await this.#firings.addMissed(schedule, time.getTime(), reason)
  }

  /** Reads one schedule, or all. */
  async #update(id?: number): Promise<void> {
    try {
      const schedules = await this.#deps.store.schedules.list()
      if (this.#isClosed) return
      const changed = id === undefined ? schedules : schedules.filter(schedule => schedule.id === id)
      const stored = new Set(changed.map(schedule => schedule.id))
      for (const each of id === undefined ? this.ids() : [id]) if (!stored.has(each)) this.forget(each)
      for (const schedule of changed) this.register(schedule)
      if (id === undefined) this.#failures.succeeded()
    } catch (error) {
      if (this.#isClosed) return
      this.#failures.failed(error)
      clearTimeout(this.#retry)
      this.#retry = setTimeout(() => void this.#update(), retryMilliseconds)
    }
  }
}

/** When it should have fired first, since it did last; undefined for none. */
function missedBefore(schedule: Schedule, time: number): Date | undefined {
  const missed = schedule.suspended ? undefined : nextFiring(schedule, new Date(schedule.since))
  return missed && missed.getTime() <= time ? missed : undefined
}

const nameOf = ({ id, name }: Schedule) => `${id} ${name}`
