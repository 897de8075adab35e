// Runs a schedule that is due. One that the store does not let start is tried again until the next time or the task's end.
import { countUnfinished, isUnfinished } from '../../stores/rules/part-states.ts'
import type { Firing, Schedule, Store } from '../../stores/store.ts'
import type { JobsCluster } from '../cluster/cluster.ts'
import { rankOf } from '../cluster/leader.ts'
import type { Log } from '../log/log.ts'
import type { Clock } from '../system/clock.ts'
import { CoalescedRead } from '../system/coalesced-read.ts'
import { nextTime } from './recurrence.ts'

export interface DueFiringsDeps {
  store: Pick<Store, 'schedules' | 'tasks' | 'jobs'>
  clock: Clock
  log: Log
  /**
   * Runs what a schedule names; resolves when its job is stored. Resolves to `taken`, without any effect, when another host
   * has run the firing.
   */
  run(schedule: Schedule, attempt?: DueFiring): Promise<'done' | 'taken'>
  cluster: Pick<JobsCluster, 'isLeader' | 'key' | 'members'> & {
    feed: Pick<JobsCluster['feed'], 'onGap'>
    work: Pick<JobsCluster['work'], 'claimFiring'>
  }
  /**
   * It did not take place. Called before that is claimed: after a claim without an answer nobody would look for it again.
   * The job of another host that has run it is recorded in its place.
   */
  onMissed(schedule: Schedule, time: number, reason: string): Promise<void>
  /** It had its job already, of another host or of an attempt that got no answer. */
  onTaken(schedule: Schedule, time: number): void
  /** Reads again which parts wait at this host. */
  readQueues(): void
  /** This host accepts no new work: another one is to run what is due. */
  isDraining(): boolean
}

/** `created` is that of its job, by which it is recognised among those of its schedule. */
export interface DueFiring extends Firing {
  created: number
}

interface Due {
  schedule: Schedule
  /** When it is due, milliseconds since 1970. */
  time: number
  attempts: DueFiring[]
  /** Undefined while it is tried. */
  cancel: (() => void) | undefined
}

/** The leader runs a firing at once, the other hosts so much later each, if it has not been run by then. */
const rankMilliseconds = 300

const retryMilliseconds = 1000

/** After so many attempts the reason is hardly a store that is away for a moment: then it is tried once a minute. */
const frequentAttempts = 600
const laterMilliseconds = 60_000

/** Among so many jobs of a schedule the one is looked for that an attempt may have stored without an answer. */
const searchedJobs = 1000

export class DueFirings {
  readonly #deps: DueFiringsDeps
  /** Those that have not started, by schedule id. */
  readonly #due = new Map<number, Due>()
  readonly #missed = new Map<number, number>()
  /** Schedules are often due together. */
  readonly #schedules: CoalescedRead<Schedule[]>
  #isClosed = false

  constructor(deps: DueFiringsDeps) {
    this.#deps = deps
    this.#schedules = new CoalescedRead(() => deps.store.schedules.list())
  }

  /** Resolves after the first attempt. */
  async start(schedule: Schedule, time: number): Promise<void> {
    const before = this.#due.get(schedule.id)
    if (before) this.#giveUp(before)
    const due: Due = { schedule, time, attempts: [], cancel: undefined }
    this.#due.set(schedule.id, due)
    await this.#try(due)
  }

  /** When the last run was due that did not take place; undefined when a later one has. */
  missed(id: number): number | undefined {
    return this.#missed.get(id)
  }

  addMissed(schedule: Schedule, time: number, reason: string): Promise<void> {
    this.#missed.set(schedule.id, time)
    return this.#deps.onMissed(schedule, time, reason)
  }

  close(): void {
    this.#isClosed = true
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
      const failures = due.attempts.length
      if (failures === 1) log.error('schedules', `${nameOf(due.schedule)}: not started, tried again each second`, error)
      const pause = failures < frequentAttempts ? retryMilliseconds : laterMilliseconds
      due.cancel = clock.after(pause, () => void this.#try(due))
    }
  }

  async #run(due: Due): Promise<void> {
    const { log, run, clock } = this.#deps
    const isRetry = due.attempts.length > 0
    const attempt = { schedule: due.schedule.id, time: due.time, created: clock.now() }
    due.attempts.push(attempt)
    const end = isRetry ? await this.#endOf(due) : undefined
    if (end !== undefined && clock.now() >= end) return this.#skip(due, end)
    const schedule = await this.#find(due)
    // While the store was asked, the next time may have come: then this one is listed as missed.
    if (!schedule || this.#due.get(schedule.id) !== due) return
    if ((await run(schedule, attempt)) === 'taken') return this.#noteTaken(due)
    this.#missed.delete(schedule.id)
    const late = isRetry ? `, late: it was due ${toText(due.time)}` : ''
    log.info('schedules', `${nameOf(schedule)}: run started${late}`)
  }

  /** The schedule as it is stored; undefined when it was changed since it was due, or another host is to run it, or has. */
  async #find(due: Due): Promise<Schedule | undefined> {
    const { id } = due.schedule
    const { time, attempts } = due
    const { cluster, clock, isDraining } = this.#deps
    const rank = rankOf(cluster.key().name, cluster.members())
    if (rank > 0) await new Promise<void>(resolve => clock.after(rank * rankMilliseconds, resolve))
    if (this.#isClosed || (isDraining() && cluster.members().length > 1)) return undefined
    const schedule = (await this.#schedules.get()).find(one => one.id === id)
    if (schedule && schedule.since >= time) this.#noteTaken(due)
    if (!schedule || schedule.suspended || schedule.since >= time) return undefined
    if (attempts.length > 1) await this.#cancelUnanswered(schedule, attempts)
    return schedule
  }

  #noteTaken({ schedule, time, attempts }: Due): void {
    const { onTaken, readQueues } = this.#deps
    onTaken(schedule, time)
    // The job may be that of an attempt without an answer: then nobody else sends what waits at this host.
    if (attempts.length > 1) readQueues()
  }

  /** Of jobs that attempts have stored without an answer no part was sent, and none would be until the daemon restarts. */
  async #cancelUnanswered(schedule: Schedule, attempts: readonly DueFiring[]): Promise<void> {
    const { clock, log, store } = this.#deps
    const created = new Set(attempts.map(attempt => attempt.created))
    for (const job of await store.jobs.list({ schedule: schedule.id, limit: searchedJobs })) {
      if (!created.has(job.created) || countUnfinished(job.counts) === 0) continue
      const parts = await store.jobs.parts(job.id, { limit: Number.MAX_SAFE_INTEGER, outputs: false })
      const waiting = parts.filter(isUnfinished)
      const cancelled = { state: 'cancelled', reason: 'stored without an answer', ended: clock.now() } as const
      await store.jobs.update(waiting.map(({ index }) => ({ job: job.id, index, ...cancelled })))
      log.warn('schedules', `${nameOf(schedule)}: job ${job.id} cancelled, as it was stored without an answer`)
    }
  }

  /** The end of the task's time to start, when it has one. */
  async #endOf({ schedule, time }: Due): Promise<number | undefined> {
    const task = schedule.type === 'task' ? await this.#deps.store.tasks.find(schedule.task) : undefined
    const until = task?.options?.until
    return until === undefined ? undefined : nextTime(until, time)
  }

  async #skip(due: Due, end: number): Promise<void> {
    const { id } = due.schedule
    const reason = `the store was away: it was to start until ${toText(end)}`
    await this.addMissed(due.schedule, due.time, reason)
    const isFirst = await this.#deps.cluster.work.claimFiring({ schedule: id, time: due.time })
    if (isFirst) this.#logMissed(due, reason)
  }

  #giveUp(due: Due): void {
    const reason = 'the store was away: its next time has come'
    this.#remove(due)
    void this.addMissed(due.schedule, due.time, reason)
    this.#logMissed(due, reason)
  }

  #logMissed({ schedule, time }: Due, reason: string): void {
    this.#deps.log.warn('schedules', `${nameOf(schedule)}: missed ${toText(time)}, as ${reason}`)
  }

  #remove(due: Due): void {
    due.cancel?.()
    if (this.#due.get(due.schedule.id) === due) this.#due.delete(due.schedule.id)
  }
}

const toText = (time: number) => new Date(time).toISOString()
const nameOf = ({ id, name }: Schedule) => `${id} ${name}`
