// Runs a schedule that is due. One that the store does not let start is tried again until the next time or the task's end.
import type { Firing, Schedule, Store } from '../../stores/store.ts'
import type { Clock } from '../system/clock.ts'
import type { Log } from '../system/log.ts'
import { nextTime } from './recurrence.ts'
import type { SharedSchedules } from './shared-schedules.ts'

export interface DueFiringsDeps {
  store: Pick<Store, 'schedules' | 'tasks' | 'jobs'>
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

interface Due {
  schedule: Schedule
  /** When it is due, milliseconds since 1970. */
  time: number
  /** Attempts that have failed. */
  failures: number
  /** Undefined while it is tried. */
  cancel: (() => void) | undefined
}

const retryMilliseconds = 1000

/** After so many attempts the reason is hardly a store that is away for a moment: then it is tried once a minute. */
const frequentAttempts = 600
const laterMilliseconds = 60_000

/** Among so many jobs the one is looked for that an attempt may have stored without an answer. */
const searchedJobs = 50

export class DueFirings {
  readonly #deps: DueFiringsDeps
  /** Those that have not started, by schedule id. */
  readonly #due = new Map<number, Due>()
  readonly #missed = new Map<number, number>()

  constructor(deps: DueFiringsDeps) {
    this.#deps = deps
  }

  /** Resolves after the first attempt. */
  async start(schedule: Schedule, time: number): Promise<void> {
    const before = this.#due.get(schedule.id)
    if (before) this.#giveUp(before, 'its next time has come')
    const due: Due = { schedule, time, failures: 0, cancel: undefined }
    this.#due.set(schedule.id, due)
    await this.#try(due)
  }

  /** When the last run was due that did not take place; undefined when a later one has. */
  missed(id: number): number | undefined {
    return this.#missed.get(id)
  }

  addMissed(id: number, time: number): void {
    this.#missed.set(id, time)
  }

  close(): void {
    for (const due of this.#due.values()) this.#remove(due)
  }

  async #try(due: Due): Promise<void> {
    const { clock, log } = this.#deps
    due.cancel = undefined
    try {
      await this.#run(due)
      this.#remove(due)
    } catch (error) {
      if (this.#due.get(due.schedule.id) !== due) return
      due.failures += 1
      if (due.failures === 1)
        log.error('schedules', `${nameOf(due.schedule)}: not started, tried again each second`, error)
      const pause = due.failures < frequentAttempts ? retryMilliseconds : laterMilliseconds
      due.cancel = clock.after(pause, () => void this.#try(due))
    }
  }

  async #run(due: Due): Promise<void> {
    const { log, run, shared } = this.#deps
    const firing = { schedule: due.schedule.id, time: due.time }
    const end = due.failures > 0 ? await this.#endOf(due) : undefined
    if (end !== undefined && this.#deps.clock.now() >= end) return this.#skip(due, end)
    const schedule = shared ? await shared.findDue(firing) : await this.#claim(due)
    if (!schedule || !(await run(schedule, shared && firing))) return
    this.#missed.delete(schedule.id)
    const late = due.failures > 0 ? `, late: it was due ${toText(due.time)}` : ''
    log.info('schedules', `${nameOf(schedule)}: run started${late}`)
  }

  /** Of a daemon alone: the schedule as it is stored, when it was not changed since it was due. */
  async #claim({ schedule: { id }, time, failures }: Due): Promise<Schedule | undefined> {
    const { store, log } = this.#deps
    const schedule = (await store.schedules.list()).find(one => one.id === id)
    if (!schedule || schedule.suspended || schedule.since > time) return undefined
    const jobs = failures > 0 ? await store.jobs.list({ limit: searchedJobs }) : []
    const job = jobs.find(one => one.origin === 'schedule' && one.name === schedule.name && one.created >= time)
    if (job) log.warn('schedules', `${nameOf(schedule)}: not run again, job ${job.id} was stored without an answer`)
    if (job) return undefined
    await store.schedules.setSince(id, time)
    return schedule
  }

  /** The end of the task's time to start, when it has one. */
  async #endOf({ schedule, time }: Due): Promise<number | undefined> {
    const task = schedule.type === 'task' ? await this.#deps.store.tasks.find(schedule.task) : undefined
    const until = task?.options?.until
    return until === undefined ? undefined : nextTime(until, time)
  }

  async #skip(due: Due, end: number): Promise<void> {
    const { store, shared } = this.#deps
    const { id } = due.schedule
    const isFirst = shared ? await shared.claim({ schedule: id, time: due.time }) : true
    if (!shared) await store.schedules.setSince(id, due.time)
    if (isFirst) this.#giveUp(due, `it was to start until ${toText(end)}`)
    else this.#missed.set(id, due.time)
  }

  #giveUp(due: Due, reason: string): void {
    const { schedule, time } = due
    this.#remove(due)
    this.#missed.set(schedule.id, time)
    this.#deps.log.warn('schedules', `${nameOf(schedule)}: missed ${toText(time)}, as the store was away: ${reason}`)
  }

  #remove(due: Due): void {
    due.cancel?.()
    if (this.#due.get(due.schedule.id) === due) this.#due.delete(due.schedule.id)
  }
}

const toText = (time: number) => new Date(time).toISOString()
const nameOf = ({ id, name }: Schedule) => `${id} ${name}`
