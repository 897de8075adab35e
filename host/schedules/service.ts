// What commands use of schedules: create, change and delete them, and preview their next runs.
import type { Masks, New, Schedule, ScheduledCommand, Store } from '../../stores/store.ts'
import { isRefusal, refuse } from '../contract/refusal.ts'
import type { Refusal, Rights, SchedulesService, UnstoredTask } from '../contract/services.ts'
import type { Clock } from '../system/clock.ts'
import { masksOf, nextFiring, nextFirings } from './recurrence.ts'
import type { Scheduler } from './scheduler.ts'

/** What a schedule runs, or will run. */
export type Target = Pick<Schedule, 'type' | 'task'> | { type: 'task'; task: number | UnstoredTask }

interface SchedulesServiceDeps {
  store: Pick<Store, 'schedules' | 'tasks' | 'procedures'>
  clock: Clock
  scheduler: Scheduler
  /** Whether all computers of the target are within the limits. */
  isInside(target: Pick<Schedule, 'type' | 'task'>, rights: Rights): Promise<boolean>
  /** Resolves to a refusal when the rights are not sufficient to run the target, or when it does not exist. */
  resolveTarget(target: Target, rights: Rights): Promise<object | Refusal>
  /** A refusal when the rights are not sufficient for a command on clients. */
  checkCommand(scheduled: New<ScheduledCommand>, rights: Rights): Promise<Refusal | undefined>
}

/** What the host needs besides. */
interface ScheduleSuspender {
  /** The schedule does not fire until it is changed. */
  suspend(id: number): Promise<void>
}

export function createSchedulesService(deps: SchedulesServiceDeps): SchedulesService & ScheduleSuspender {
  const { store, scheduler } = deps
  return {
    ...reads(deps),
    ...additions(deps),

    async update(id, { when, ...change }, { rights }) {
      const schedule = await findVisible(id, rights, deps)
      if (isRefusal(schedule)) return schedule
      const refusal = await checkTarget(change, rights, deps)
      if (refusal) return refusal
      // Whoever changes what it does answers for it: an account must not lend its rights to another one's change.
      const by = rights.reference
      const since = deps.clock.now()
      const row: Schedule = { ...schedule, ...(when ?? masksOfNow(deps)), ...change, since, by }
      if (!(await store.schedules.update(row))) return unknownSchedule(id, rights)
      await start(row, when, deps)
      return undefined
    },

    async delete(id, { rights }, withTask) {
      const schedule = await findVisible(id, rights, deps)
      if (isRefusal(schedule)) return schedule
      const existed = await store.schedules.delete(id, withTask)
      scheduler.forget(id)
      return existed ? undefined : unknownSchedule(id, rights)
    },

    async suspend(id) {
      scheduler.forget(id)
      const schedule = await findSchedule(store, id)
      if (schedule) await store.schedules.update({ ...schedule, suspended: 1 })
    },
  }
}

function reads(deps: SchedulesServiceDeps): Pick<SchedulesService, 'list' | 'next' | 'missed' | 'warn'> {
  const { store, clock, scheduler } = deps
  return {
    async list({ rights }) {
      const schedules = await store.schedules.list()
      if (!rights.isLimited) return schedules
      const visible = await Promise.all(schedules.map(schedule => isVisible(schedule, rights, deps)))
      return schedules.filter((_, index) => visible[index])
    },

    async next(id, count, { rights }) {
      const schedule = await findVisible(id, rights, deps)
      if (isRefusal(schedule)) return schedule
      if (schedule.suspended) return []
      return nextFirings(schedule, new Date(clock.now()), count).map(time => time.toISOString())
    },

    async warn(id, when, request) {
      const schedule = await findSchedule(store, id)
      if (!schedule) return
      const { type, task, suspended } = schedule
      // It may be added before the schedule runs.
      if ((await findTarget(schedule, store)) === undefined) request.warn(`task: there is no ${type} ${task}`)
      if (when && !suspended && nextFiring(schedule, new Date(clock.now())) === undefined)
        request.warn('when: expected a time that is to come, got none: it never runs')
    },

    missed(id) {
      const time = scheduler.missed(id)
      return time === undefined ? undefined : new Date(time).toISOString()
    },
  }
}

function additions(
  deps: SchedulesServiceDeps,
): Pick<SchedulesService, 'create' | 'createOnce' | 'createScheduledCommand'> {
  const { store, clock } = deps
  return {
    async create({ when, ...schedule }, { rights }) {
      const refusal = await checkTarget(schedule, rights, deps)
      if (refusal) return refusal
      const since = clock.now()
      const row: New<Schedule> = { ...masksOfNow(deps), ...when, ...schedule, since, by: rights.reference }
      const id = await store.schedules.add(row)
      await start({ id, ...row }, when, deps)
      return id
    },

    async createOnce(task, at, { rights }) {
      const refusal = await checkTarget({ type: 'task', task }, rights, deps)
      if (refusal) return refusal
      const row = { ...masksOf(at), suspended: 0, since: clock.now(), by: rights.reference } as const
      const stored = await task.store(row)
      if (isRefusal(stored)) return stored
      const { name, schedule: id, task: number } = stored
      deps.scheduler.register({ id, name, type: 'task', task: number, ...row })
      return id
    },

    async createScheduledCommand({ when, ...scheduled }, { rights }) {
      const refusal = await deps.checkCommand(scheduled, rights)
      if (refusal) return refusal
      const row: Omit<New<Schedule>, 'task'> = {
        ...masksOfNow(deps),
        ...when,
        type: 'command',
        name: scheduled.command,
        suspended: 0,
        since: clock.now(),
        by: rights.reference,
      }
      const id = await store.schedules.addScheduledCommand(scheduled, row)
      const task = (await findSchedule(store, id))?.task ?? 0
      await start({ id, task, ...row }, when, deps)
      return id
    },
  }
}

const masksOfNow = ({ clock }: SchedulesServiceDeps): Masks => masksOf(new Date(clock.now()))

/** Without `when` a schedule runs immediately; its stored minute has already started, so the timer will not fire it again. */
async function start(schedule: Schedule, when: object | undefined, { scheduler }: SchedulesServiceDeps): Promise<void> {
  scheduler.register(schedule)
  if (when === undefined && !schedule.suspended) await scheduler.fire(schedule)
}

const unknownSchedule = (id: number, { isLimited }: Rights): Refusal =>
  isLimited
    ? refuse('expected a schedule whose computers are all in the rooms of the token', 403)
    : refuse(`id: there is no schedule ${id}`)

async function findVisible(id: number, rights: Rights, deps: SchedulesServiceDeps): Promise<Schedule | Refusal> {
  const schedule = await findSchedule(deps.store, id)
  return schedule && (await isVisible(schedule, rights, deps)) ? schedule : unknownSchedule(id, rights)
}

async function isVisible(schedule: Schedule, rights: Rights, { isInside }: SchedulesServiceDeps): Promise<boolean> {
  return !rights.isLimited || schedule.by === rights.reference || isInside(schedule, rights)
}

/** Only missing rights are a reason to refuse: the target may be added before the schedule runs. */
async function checkTarget(
  target: Target,
  rights: Rights,
  { resolveTarget }: SchedulesServiceDeps,
): Promise<Refusal | undefined> {
  const resolved = await resolveTarget(target, rights)
  return isRefusal(resolved) && resolved.status === 403 ? resolved : undefined
}

async function findSchedule({ schedules }: Pick<Store, 'schedules'>, id: number): Promise<Schedule | undefined> {
  return (await schedules.list()).find(schedule => schedule.id === id)
}

function findTarget({ type, task: id }: Schedule, store: SchedulesServiceDeps['store']): Promise<object | undefined> {
  if (type === 'command') return store.schedules.findScheduledCommand(id)
  return type === 'task' ? store.tasks.find(id) : store.procedures.find(id)
}
