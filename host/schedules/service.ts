// What commands may ask of schedules: create, change, delete, and when they fire next.

import type { Masks, Schedule, Store } from '../../stores/store.ts'
import type { SchedulesService } from '../services.ts'
import type { Clock } from '../system/clock.ts'
import { masksOf, nextFiring } from './recurrence.ts'
import type { Scheduler } from './scheduler.ts'

export interface SchedulesServiceDeps {
  store: Store
  clock: Clock
  scheduler: Scheduler
}

export function createSchedulesService({ store, clock, scheduler }: SchedulesServiceDeps): SchedulesService {
  const masksNow = (): Masks => masksOf(new Date(clock.now()))

  /** Without a time of its own a schedule is for now: its minute has begun, so no mask fires it any more. */
  async function begin(schedule: Schedule, isForNow: boolean): Promise<void> {
    scheduler.register(schedule)
    if (isForNow && !schedule.suspended) await scheduler.fire(schedule)
  }

  return {
    async create({ when, ...given }) {
      const row = { ...masksNow(), ...when, ...given, since: clock.now() }
      const id = await store.schedules.add(row)
      await begin({ id, ...row }, when === undefined)
    },

    async createScheduledCommand({ when, clients, command, params }) {
      const fixed = { type: 'command', name: command, suspended: 0, since: clock.now() } as const
      const row = { ...masksNow(), ...when, ...fixed }
      const id = await store.schedules.addScheduledCommand({ clients, command, params: { ...params } }, row)
      const task = (await store.schedules.list()).find(schedule => schedule.id === id)?.task ?? 0
      await begin({ id, task, ...row }, when === undefined)
    },

    async update(id, { when, ...given }) {
      const before = (await store.schedules.list()).find(schedule => schedule.id === id)
      if (!before) return false
      // The specification: the stored action type becomes task.
      const row: Schedule = { ...before, ...(when ?? masksNow()), ...given, type: 'task', since: clock.now() }
      if (!(await store.schedules.update(row))) return false
      await begin(row, when === undefined)
      return true
    },

    async delete(id) {
      const existed = await store.schedules.delete(id)
      scheduler.forget(id)
      return existed
    },

    async next(id, count) {
      const schedule = (await store.schedules.list()).find(one => one.id === id)
      if (!schedule) return undefined
      const times: string[] = []
      let after = new Date(clock.now())
      while (times.length < count && !schedule.suspended) {
        const next = nextFiring(schedule, after)
        if (!next) break
        times.push(next.toISOString())
        after = next
      }
      return times
    },
  }
}
