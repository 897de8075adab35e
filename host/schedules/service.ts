// What commands use of schedules: create, change and delete them, and preview their next runs.
import type { New, Schedule, ScheduledCommand, Store } from '../../stores/store.ts'
import { isRefusal } from '../contract/refusal.ts'
import type {
  Caller,
  Changer,
  FiringEntry,
  FiringFilter,
  NewSchedule,
  Refusal,
  Request,
  Rights,
  ScheduleChange,
  SchedulesService,
  UnstoredTask,
} from '../contract/services.ts'
import { asOneEdit, type Keep } from '../store/undo-bin.ts'
import type { Clock } from '../system/clock.ts'
import { applyChange, storeChange } from './apply-change.ts'
import { unknownCommand, unknownSchedule, withinLimits } from './limited-callers.ts'
import { masksOf, nextFiring, nextFirings } from './recurrence.ts'
import type { Scheduler } from './scheduler.ts'
import { findTarget, wordsOfUsers } from './users-of-record.ts'
import { warnOfWaiting } from './waiting-jobs.ts'

/** What a schedule runs, or will run. */
export type Target = Pick<Schedule, 'type' | 'task'> | { type: 'task'; task: number | UnstoredTask }

interface SchedulesDeps {
  store: Pick<Store, 'schedules' | 'tasks' | 'procedures' | 'jobs'>
  clock: Clock
  scheduler: Scheduler
  keep: Keep
  firings: { list(filter: FiringFilter): Promise<FiringEntry[]> }
  /** Whether all computers of the target are within the limits. */
  isInside(target: Pick<Schedule, 'type' | 'task'>, rights: Rights): Promise<boolean>
  /** Resolves to a refusal when the rights are not sufficient to run the target, or when it does not exist. */
  resolveTarget(target: Target, rights: Rights): Promise<{ clients: readonly string[] } | Refusal>
  /** A refusal when the rights are not sufficient for a command on clients. */
  checkCommand(scheduled: New<ScheduledCommand>, rights: Rights): Promise<Refusal | undefined>
  /** What schedules name that is not there any more, by their ids. */
  findMissing(schedules: readonly Schedule[]): Promise<ReadonlyMap<number, string[]>>
}

export class Schedules implements SchedulesService {
  readonly #deps: SchedulesDeps

  constructor(deps: SchedulesDeps) {
    this.#deps = deps
  }

  async list({ rights }: Pick<Caller, 'rights'>): Promise<Schedule[]> {
    const schedules = await this.#deps.store.schedules.list()
    if (!rights.isLimited) return schedules
    const visible = await Promise.all(schedules.map(schedule => this.#isVisible(schedule, rights)))
    return schedules.filter((_, index) => visible[index])
  }

  async usersOf(kind: 'task' | 'procedure', id: number, caller: Caller): Promise<string> {
    const { store } = this.#deps
    return wordsOfUsers(kind, id, { store, schedules: await this.list(caller), rights: caller.rights })
  }

  async upcoming(until: number, caller: Caller): Promise<ReadonlyMap<string, number>> {
    const times = new Map<string, number>()
    for (const schedule of await this.list(caller)) {
      const next = schedule.suspended ? undefined : nextFiring(schedule, this.#now())?.getTime()
      if (next === undefined || next > until) continue
      const resolved = await this.#deps.resolveTarget(schedule, caller.rights)
      if (isRefusal(resolved)) continue
      for (const addr of resolved.clients) times.set(addr, Math.min(next, times.get(addr) ?? next))
    }
    return times
  }

  async create({ when, ...schedule }: NewSchedule, { rights }: Caller) {
    const refusal = await this.#checkTarget(schedule, rights)
    if (refusal) return refusal
    const row = { ...this.#fieldsOf(when, rights), ...schedule }
    const id = await this.#deps.store.schedules.add(row)
    await this.#start({ id, ...row }, when)
    return id
  }

  async createOnce(task: UnstoredTask, at: Date, { rights }: Caller) {
    const refusal = await this.#checkTarget({ type: 'task', task }, rights)
    if (refusal) return refusal
    const row = { ...this.#fieldsOf(masksOf(at), rights), suspended: 0 } as const
    const stored = await task.store(row)
    if (isRefusal(stored)) return stored
    const { name, schedule: id, task: number } = stored
    this.#deps.scheduler.register({ id, name, type: 'task', task: number, ...row })
    return id
  }

  async createScheduledCommand(
    { when, clients = [], command, name = command, ...more }: Parameters<SchedulesService['createScheduledCommand']>[0],
    { rights }: Caller,
  ) {
    const { store, checkCommand } = this.#deps
    const scheduled = { ...more, command, clients }
    const refusal = await checkCommand(scheduled, rights)
    if (refusal) return refusal
    const row = { ...this.#fieldsOf(when, rights), type: 'command', name, suspended: 0 } as const
    const id = await store.schedules.addScheduledCommand(scheduled, row)
    const task = (await this.#find(id))?.task ?? 0
    await this.#start({ id, task, ...row }, when)
    return id
  }

  async update(id: number, { when, ...change }: ScheduleChange, changer: Caller & Changer) {
    const { rights } = changer
    const schedule = await this.#findVisible(id, rights)
    if (isRefusal(schedule)) return schedule
    const refusal = await this.#checkTarget(change, rights)
    if (refusal) return refusal
    const row = applyChange(schedule, { ...this.#fieldsOf(when, rights), ...change }, this.#now())
    const { store, keep } = this.#deps
    if (!(await storeChange(schedule, row, store, asOneEdit(keep, changer)))) return unknownSchedule(id, rights)
    await this.#start(row, when)
    return undefined
  }

  async delete(id: number, changer: Caller & Changer) {
    const { store, keep, scheduler } = this.#deps
    const { rights } = changer
    const schedule = await this.#findVisible(id, rights)
    if (isRefusal(schedule)) return schedule
    const existed = await keep(changer, store => store.schedules.delete(id))
    scheduler.forget(id)
    if (!existed) return unknownSchedule(id, rights)
    await warnOfWaiting(id, store, changer)
    return undefined
  }

  /** It does not fire until it is changed. */
  async suspend(id: number): Promise<void> {
    const { store, scheduler } = this.#deps
    scheduler.forget(id)
    const schedule = await this.#find(id)
    if (schedule) await store.schedules.update({ ...schedule, suspended: 1 })
  }

  async next(id: number, count: number, { rights }: Caller) {
    const schedule = await this.#findVisible(id, rights)
    return isRefusal(schedule) ? schedule : this.timesOf(schedule, count)
  }

  timesOf(schedule: Schedule, count: number): string[] {
    return schedule.suspended ? [] : nextFirings(schedule, this.#now(), count).map(time => time.toISOString())
  }

  missing(schedules: readonly Schedule[]) {
    return this.#deps.findMissing(schedules.filter(each => nextFiring(each, this.#now()) !== undefined))
  }

  async warn(id: number, when: object | undefined, request: Pick<Request, 'warn'>): Promise<void> {
    const { store } = this.#deps
    const schedule = await this.#find(id)
    if (!schedule) return
    const { type, task, suspended } = schedule
    // It may be added before the schedule runs.
    if ((await findTarget(schedule, store)) === undefined) request.warn(`task: there is no ${type} ${task}`)
    if (when && !suspended && nextFiring(schedule, this.#now()) === undefined)
      request.warn('when: expected a time that is to come, got none: it never runs')
  }

  async firings(filter: FiringFilter, caller: Caller) {
    const { rights } = caller
    const firings = await this.#deps.firings.list(filter)
    if (!rights.isLimited) return firings
    const visible = new Set((await this.list(caller)).map(({ id }) => id))
    return firings.flatMap(firing => (visible.has(firing.schedule) ? withinLimits(firing, rights) : []))
  }

  missed(id: number): string | undefined {
    const time = this.#deps.scheduler.missed(id)
    return time === undefined ? undefined : new Date(time).toISOString()
  }

  #now(): Date {
    return new Date(this.#deps.clock.now())
  }

  /** Whoever changes what it does answers for it: an account must not lend its rights to another one's change. */
  #fieldsOf<When>(when: When | undefined, { reference }: Rights) {
    return { ...(when ?? masksOf(this.#now())), since: this.#deps.clock.now(), by: reference }
  }

  /** Without `when` it runs immediately; its stored minute has already started, so the timer will not fire it again. */
  async #start(schedule: Schedule, when: object | undefined): Promise<void> {
    const { scheduler } = this.#deps
    scheduler.register(schedule)
    if (when === undefined && !schedule.suspended) await scheduler.fire(schedule)
  }

  async #find(id: number): Promise<Schedule | undefined> {
    return (await this.#deps.store.schedules.list()).find(schedule => schedule.id === id)
  }

  async #findVisible(id: number, rights: Rights): Promise<Schedule | Refusal> {
    const schedule = await this.#find(id)
    return schedule && (await this.#isVisible(schedule, rights)) ? schedule : unknownSchedule(id, rights)
  }

  async #isVisible(schedule: Schedule, rights: Rights): Promise<boolean> {
    return !rights.isLimited || schedule.by === rights.reference || this.#deps.isInside(schedule, rights)
  }

  /** Only missing rights are a reason to refuse: the target may be added before the schedule runs. */
  async #checkTarget(target: Target, rights: Rights): Promise<Refusal | undefined> {
    const unknown = rights.isLimited && unknownCommand(target, await this.list({ rights }))
    if (unknown) return unknown
    const resolved = await this.#deps.resolveTarget(target, rights)
    return isRefusal(resolved) && resolved.status === 403 ? resolved : undefined
  }
}
