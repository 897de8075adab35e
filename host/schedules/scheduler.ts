// Runs each schedule at its times.
import type { Firing, Schedule, Store } from '../../stores/store.ts'
import type { Clock } from '../system/clock.ts'
import type { Log } from '../system/log.ts'
import { nextFiring } from './recurrence.ts'
import type { SharedSchedules } from './shared-schedules.ts'

export interface SchedulerDeps {
  store: Store
  clock: Clock
  log: Log
  /**
   * Runs what a schedule names; resolves when its job is stored. Resolves to false, without any effect, when another host
   * has run the firing, which is named with several hosts only.
   */
  run(schedule: Schedule, firing?: Firing): Promise<boolean>
  /** Undefined in a daemon that runs alone. */
  shared?: SharedSchedules | undefined
}

/**
 * The longest wait of a timer. Timers do not notice that the clock is set or that the machine was suspended: a run may be
 * so much late, and schedules have minutes.
 */
const recheckMilliseconds = 60_000

export class Scheduler {
  readonly #deps: SchedulerDeps
  /** Functions that cancel the timers, by schedule id. */
  readonly #timers = new Map<number, () => void>()

  constructor(deps: SchedulerDeps) {
    this.#deps = deps
    deps.shared?.follow(this)
  }

  /** Starts the timers of all stored schedules. Runs missed while the daemon was down are logged, not caught up. */
  async start(): Promise<void> {
    const { store, clock, log, shared } = this.#deps
    for (const schedule of await store.schedules.list()) {
      const missed = schedule.suspended ? undefined : nextFiring(schedule, new Date(schedule.since))
      const isMissed = missed !== undefined && missed.getTime() <= clock.now()
      if (isMissed && (!shared || (await shared.claimMissed(schedule.id)))) {
        log.warn('schedules', `${nameOf(schedule)}: missed ${missed.toISOString()}, the daemon was not running`)
        if (!shared) await store.schedules.setSince(schedule.id, clock.now())
      }
      this.register(schedule)
    }
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

  /** The schedules that have a timer. */
  ids(): number[] {
    return [...this.#timers.keys()]
  }

  close(): void {
    this.#deps.shared?.close()
    for (const id of this.ids()) this.forget(id)
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
    const { store, log, clock, shared } = this.#deps
    this.#timers.delete(schedule.id)
    const missed = nextFiring(schedule, time)
    if (missed && missed.getTime() <= clock.now() && (!shared || shared.isLeader())) {
      log.warn('schedules', `${nameOf(schedule)}: missed ${missed.toISOString()} and later, the clock was set forward`)
    }
    // Not before the due time: when the clock is set back, no run is repeated.
    this.#startTimer(schedule, new Date(Math.max(time.getTime(), clock.now())))
    if (shared) return this.#runOnce(schedule, time, shared)
    await store.schedules
      .setSince(schedule.id, time.getTime())
      .catch(error => log.error('schedules', `${nameOf(schedule)}: could not save last run`, error))
    await this.fire(schedule)
  }

  /** Runs a firing unless another host has done so; an error is logged, and the next host tries. */
  async #runOnce({ id, name }: Schedule, time: Date, shared: SharedSchedules): Promise<void> {
    const { log, run } = this.#deps
    const firing = { schedule: id, time: time.getTime() }
    try {
      const schedule = await shared.findDue(firing)
      if (schedule && (await run(schedule, firing))) log.info('schedules', `${nameOf(schedule)}: run started`)
    } catch (error) {
      log.error('schedules', `${id} ${name}: run failed`, error)
    }
  }
}

const nameOf = ({ id, name }: Schedule) => `${id} ${name}`
