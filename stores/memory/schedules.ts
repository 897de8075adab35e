// Schedules and scheduled commands.
import type { Schedule, ScheduledCommand, Store } from '../store.ts'
import { copyJson } from './copy-json.ts'
import type { Rows } from './tables/row-types.ts'
import type { StoreContext } from './tables/store-context.ts'
import type { Tables } from './tables/tables.ts'
import type { Transaction } from './tables/transaction.ts'

export function schedules({ tables, mutate }: StoreContext): Store['schedules'] {
  const { all } = tables
  return {
    async list() {
      return all.schedules.sorted().map(toSchedule)
    },
    async findScheduledCommand(id) {
      const command = all.errands.get(id)
      return command && copyScheduledCommand(command)
    },

    add: schedule =>
      mutate(transaction => {
        const id = all.schedules.nextId()
        transaction.put('schedules', fromSchedule({ ...schedule, id }))
        return id
      }),
    addScheduledCommand: (command, schedule) =>
      mutate(transaction => {
        const task = all.errands.nextId()
        transaction.put('errands', copyScheduledCommand({ ...command, id: task }))
        const id = all.schedules.nextId()
        transaction.put('schedules', fromSchedule({ ...schedule, id, type: 'command', task }))
        return id
      }),
    update: schedule =>
      mutate(transaction => {
        const before = all.schedules.get(schedule.id)
        if (!before) return false
        transaction.put('schedules', fromSchedule(schedule))
        deleteUnscheduledCommand(tables, transaction, before)
        return true
      }),
    setSince: (id, since) =>
      mutate(transaction => {
        const schedule = all.schedules.get(id)
        if (schedule) transaction.put('schedules', { ...schedule, since })
      }),
    delete: id =>
      mutate(transaction => {
        const schedule = all.schedules.get(id)
        if (!schedule) return false
        transaction.delete('schedules', id)
        deleteUnscheduledCommand(tables, transaction, schedule)
        return true
      }),
  }
}

/** Whether the schedule runs the scheduled command with this id. */
export const runsScheduledCommand = ({ type, task }: Pick<Schedule, 'type' | 'task'>, id: number): boolean =>
  type === 'command' && task === id

/** Deletes the scheduled command that a schedule named, unless another schedule names it. */
function deleteUnscheduledCommand({ all }: Tables, transaction: Transaction, { type, task }: Rows['schedules']): void {
  if (type !== 'command' || !all.errands.get(task)) return
  const isScheduled = [...all.schedules.all()].some(schedule => runsScheduledCommand(schedule, task))
  if (!isScheduled) transaction.delete('errands', task)
}

function copyScheduledCommand({ id, clients, command, params }: Readonly<ScheduledCommand>): ScheduledCommand {
  return { id, clients: [...clients], command, params: copyJson(params) }
}

/** Who made the schedules of earlier versions; also not stored of later ones. */
const defaultMaker = 'admin'

/** Copies key by key: additional keys of a caller's object are not stored. */
export function fromSchedule(schedule: Readonly<Schedule>): Rows['schedules'] {
  const { id, type, task, name, suspended, since, by = defaultMaker, plan } = schedule
  const { years, months, weeks, week_days, days, hours, am_pm, minutes } = schedule
  const row = { id, type, task, name, suspended, since, years, months, weeks, week_days, days, hours, am_pm, minutes }
  const own = plan && { plan: { task: plan.task, procedure: plan.procedure } }
  return { ...row, ...(by !== defaultMaker && { by }), ...own }
}

export const toSchedule = ({ by = defaultMaker, ...row }: Rows['schedules']): Schedule => ({ ...row, by })
