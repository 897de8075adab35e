// Schedules, and the commands that were stored to be scheduled.

import { copyJson } from '../records/steps.ts'
import type { Schedule, ScheduledCommand, Store } from '../store.ts'
import type { Records } from './store.ts'
import type { Tables } from './tables/tables.ts'
import type { Edit } from './tables/transaction.ts'

export function schedules({ tables, mutate }: Records): Store['schedules'] {
  const { all } = tables
  return {
    async list() {
      return all.schedules.sorted().map(copySchedule)
    },
    async findScheduledCommand(id) {
      const errand = all.errands.get(id)
      return errand && copyErrand(errand)
    },

    add: given =>
      mutate(edit => {
        const id = all.schedules.next()
        edit.put('schedules', copySchedule({ ...given, id }))
        return id
      }),
    addScheduledCommand: (errand, given) =>
      mutate(edit => {
        const task = all.errands.next()
        edit.put('errands', copyErrand({ ...errand, id: task }))
        const id = all.schedules.next()
        edit.put('schedules', copySchedule({ ...given, id, type: 'command', task }))
        return id
      }),
    update: schedule =>
      mutate(edit => {
        const before = all.schedules.get(schedule.id)
        if (!before) return false
        edit.put('schedules', copySchedule(schedule))
        dropErrand(tables, edit, before)
        return true
      }),
    setSince: (id, since) =>
      mutate(edit => {
        const schedule = all.schedules.get(id)
        if (schedule) edit.put('schedules', { ...schedule, since })
      }),
    delete: id =>
      mutate(edit => {
        const schedule = all.schedules.get(id)
        if (!schedule) return false
        edit.delete('schedules', id)
        dropErrand(tables, edit, schedule)
        return true
      }),
  }
}

export const namesErrand = ({ type, task }: Pick<Schedule, 'type' | 'task'>, id: number) =>
  type === 'command' && task === id

/** The errand that a schedule named, unless another one does. */
function dropErrand({ all }: Tables, edit: Edit, { type, task }: Readonly<Schedule>): void {
  if (type !== 'command' || !all.errands.get(task)) return
  if (![...all.schedules.all()].some(schedule => namesErrand(schedule, task))) edit.delete('errands', task)
}

function copyErrand({ id, clients, command, params }: Readonly<ScheduledCommand>): ScheduledCommand {
  return { id, clients: [...clients], command, params: copyJson(params) }
}

/** Written out key by key: what else a caller's object carries is not stored. */
function copySchedule(schedule: Readonly<Schedule>): Schedule {
  const { id, type, task, name, suspended, since } = schedule
  const { years, months, weeks, week_days, days, hours, am_pm, minutes } = schedule
  return { id, type, task, name, suspended, since, years, months, weeks, week_days, days, hours, am_pm, minutes }
}
