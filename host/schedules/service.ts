// What commands use of schedules: create, change and delete them, and preview their next runs.
import type { Masks, New, Schedule, Store } from '../../stores/store.ts'
import type { SchedulesService } from '../services.ts'
import type { Clock } from '../system/clock.ts'
import { masksOf, nextFirings } from './recurrence.ts'
import type { Scheduler } from './scheduler.ts'

export interface SchedulesServiceDeps {
  store: Pick<Store, 'schedules'>
  clock: Clock
  scheduler: Scheduler
}

export function createSchedulesService({ store, clock, scheduler }: SchedulesServiceDeps): SchedulesService {
  const masksOfNow = (): Masks => masksOf(new Date(clock.now()))

  /**
   * Without `when` a schedule runs immediately; its stored minute has already started, so the timer will not fire it
   * again.
   */
  async function start(schedule: Schedule, when: object | undefined): Promise<void> {
    scheduler.register(schedule)
    if (when === undefined && !schedule.suspended) await scheduler.fire(schedule)
  }

  return {
    async create({ when, ...schedule }) {
      const row: New<Schedule> = { ...masksOfNow(), ...when, ...schedule, since: clock.now() }
      const id = await store.schedules.add(row)
      await start({ id, ...row }, when)
      return id
    },

    async createScheduledCommand({ when, clients, command, params }) {
      const row: Omit<New<Schedule>, 'task'> = {
        ...masksOfNow(),
        ...when,
        type: 'command',
        name: command,
        suspended: 0,
        since: clock.now(),
      }
      const id = await store.schedules.addScheduledCommand({ clients, command, params: { ...params } }, row)
      const task = (await findSchedule(store, id))?.task ?? 0
      await start({ id, task, ...row }, when)
      return id
    },

    async update(id, { when, ...change }) {
      const schedule = await findSchedule(store, id)
      if (!schedule) return false
      // The specification: the stored action type becomes task.
      const row: Schedule = { ...schedule, ...(when ?? masksOfNow()), ...change, type: 'task', since: clock.now() }
      if (!(await store.schedules.update(row))) return false
      await start(row, when)
      return true
    },

    async delete(id) {
      const existed = await store.schedules.delete(id)
      scheduler.forget(id)
      return existed
    },

    async next(id, count) {
      const schedule = await findSchedule(store, id)
      if (!schedule) return undefined
      if (schedule.suspended) return []
      return nextFirings(schedule, new Date(clock.now()), count).map(time => time.toISOString())
    },
  }
}

async function findSchedule({ schedules }: Pick<Store, 'schedules'>, id: number): Promise<Schedule | undefined> {
  return (await schedules.list()).find(schedule => schedule.id === id)
}
