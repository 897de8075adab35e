// Runs each schedule at its times.
import type { Schedule } from '../../stores/store.ts'
import { DueFirings, type DueFiringsDeps } from './due-firings.ts'
import { nextFiring } from './recurrence.ts'
import { ScheduleChanges, type ScheduleChangesDeps } from './schedule-changes.ts'

interface SchedulerDeps extends DueFiringsDeps, Pick<ScheduleChangesDeps, 'events'> {}

/**
 * The longest wait of a timer. Timers do not notice that the clock is set or that the machine was suspended: a run may be
 * so much late, and schedules have minutes.
 */
const recheckMilliseconds = 60_000

export class Scheduler {
  readonly #deps: SchedulerDeps
  /** Functions that cancel the timers, by schedule id. */
  readonly #timers = new Map<number, () => void>()
  readonly #firings: DueFirings
  readonly #changes: ScheduleChanges

  constructor(deps: SchedulerDeps) {
    this.#deps = deps
    this.#firings = new DueFirings(deps)
    this.#changes = new ScheduleChanges(deps, this)
  }

  /** Starts the timers of all stored schedules. Runs missed while the daemon was down are logged, not caught up. */
  async start(): Promise<void> {
    const { store, clock, log, cluster } = this.#deps
    for (const schedule of await store.schedules.list()) {
      const missed = schedule.suspended ? undefined : nextFiring(schedule, new Date(schedule.since))
      const isMissed = missed !== undefined && missed.getTime() <= clock.now()
      const isFirst = isMissed && cluster.isLeader()
      if (isFirst && (await cluster.work.claimFiring({ schedule: schedule.id, time: clock.now() }))) {
        log.warn('schedules', `${nameOf(schedule)}: missed ${missed.toISOString()}, the daemon was not running`)
        this.#firings.addMissed(schedule.id, missed.getTime())
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

  missed(id: number): number | undefined {
    return this.#firings.missed(id)
  }

  /** The schedules that have a timer. */
  ids(): number[] {
    return [...this.#timers.keys()]
  }

  close(): void {
    this.#changes.close()
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
    }
    // Not before the due time: when the clock is set back, no run is repeated.
    this.#startTimer(schedule, new Date(Math.max(time.getTime(), clock.now())))
    await this.#firings.start(schedule, time.getTime())
  }
}

const nameOf = ({ id, name }: Schedule) => `${id} ${name}`
