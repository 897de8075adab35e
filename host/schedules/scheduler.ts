// Fires schedules when their masks say so, each once.
import type { Schedule, Store } from '../../stores/store.ts'
import type { Clock } from '../system/clock.ts'
import { type Log, message } from '../system/log.ts'
import { nextFiring } from './recurrence.ts'

export interface SchedulerDeps {
  store: Store
  clock: Clock
  log: Log
  /** Does what a schedule names; resolves when its job is stored. */
  run(schedule: Schedule): Promise<void>
}

const lookMilliseconds = 900_000

export class Scheduler {
  readonly #deps: SchedulerDeps
  readonly #timers = new Map<number, () => void>()

  constructor(deps: SchedulerDeps) {
    this.#deps = deps
  }

  /** Registers what the store has. What should have fired while the daemon was down is logged, not caught up. */
  async start(): Promise<void> {
    const { store, clock, log } = this.#deps
    for (const schedule of await store.schedules.list()) {
      const missed = schedule.suspended ? undefined : nextFiring(schedule, new Date(schedule.since))
      if (missed && missed.getTime() <= clock.now()) {
        log.warn('schedules', `${schedule.id} ${schedule.name}: missed ${missed.toISOString()}, the daemon was down`)
        await store.schedules.setSince(schedule.id, clock.now())
      }
      this.register(schedule)
    }
  }

  /** Arms a schedule that is new or changed; a suspended one is not armed. */
  register(schedule: Schedule): void {
    this.forget(schedule.id)
    if (!schedule.suspended) this.#arm(schedule, new Date(this.#deps.clock.now()))
  }

  forget(id: number): void {
    this.#timers.get(id)?.()
    this.#timers.delete(id)
  }

  /** Fires once, now: a schedule that was stored without a time of its own. */
  async fire(schedule: Schedule): Promise<void> {
    const { log, run } = this.#deps
    log.info('schedules', `${schedule.id} ${schedule.name}: fires`)
    try {
      await run(schedule)
    } catch (error) {
      log.error('schedules', `${schedule.id} ${schedule.name}: could not be run: ${message(error)}`, error)
    }
  }

  close(): void {
    for (const id of [...this.#timers.keys()]) this.forget(id)
  }

  #arm(schedule: Schedule, after: Date): void {
    const { clock } = this.#deps
    const next = nextFiring(schedule, after)
    if (!next) return
    const left = next.getTime() - clock.now()
    // The clock may be set meanwhile, or the machine sleep: how long is left is looked at again now and then.
    const again = () => (clock.now() < next.getTime() ? this.#arm(schedule, after) : void this.#due(schedule, next))
    this.#timers.set(schedule.id, clock.after(Math.min(left, lookMilliseconds), again))
  }

  /** The next firing is armed from this one, so that none fires twice and none is left out. */
  async #due(schedule: Schedule, at: Date): Promise<void> {
    this.#timers.delete(schedule.id)
    this.#arm(schedule, at)
    await this.#deps.store.schedules
      .setSince(schedule.id, at.getTime())
      .catch(error => this.#deps.log.error('schedules', `${schedule.id}: that it fired is not stored`, error))
    await this.fire(schedule)
  }
}
