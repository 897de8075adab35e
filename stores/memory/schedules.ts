// Schedules and scheduled commands.
import type { Schedule, Store } from '../store.ts'
import { addPlannedTask, deletePlannedTask } from './procedures.ts'
import { recordTable } from './record-table.ts'
import type { Tables } from './tables/tables.ts'
import type { StoreContext, Transaction } from './tables/transaction.ts'

export function schedules({ tables, mutate }: StoreContext): Store['schedules'] {
  const rows = recordTable(tables, 'schedules')
  const commands = recordTable(tables, 'errands')
  return {
    list: async () => rows.list(),
    findScheduledCommand: async id => commands.find(id),

    add: schedule => mutate(transaction => rows.add(transaction, schedule)),
    addScheduledCommand: (command, schedule) =>
      mutate(transaction => {
        const task = commands.add(transaction, command)
        return rows.add(transaction, { ...schedule, type: 'command', task })
      }),
    addPlannedRestore: restore =>
      mutate(transaction => {
        const plan = addPlannedTask(tables, transaction, restore)
        if (typeof plan === 'string') return plan
        const { schedule } = restore
        const id = schedule ? rows.add(transaction, { ...schedule, type: 'task', task: plan.task, plan }) : 0
        return { ...plan, schedule: id }
      }),
    update: schedule =>
      mutate(transaction => {
        const before = rows.find(schedule.id)
        if (!before) return false
        rows.put(transaction, schedule)
        deleteUnscheduledCommand(tables, transaction, before)
        return true
      }),
    setSince: (id, since) =>
      mutate(transaction => {
        if (rows.find(id)) rows.change(transaction, id, { since })
      }),
    delete: id =>
      mutate(transaction => {
        const schedule = rows.find(id)
        if (!schedule) return false
        transaction.delete('schedules', id)
        deleteUnscheduledCommand(tables, transaction, schedule)
        if (schedule.plan) deletePlannedTask(tables, transaction, schedule.plan)
        return true
      }),
  }
}

/** Whether the schedule runs the scheduled command with this id. */
export const runsScheduledCommand = ({ type, task }: Pick<Schedule, 'type' | 'task'>, id: number): boolean =>
  type === 'command' && task === id

/** Deletes the scheduled command that a schedule named, unless another schedule names it. */
function deleteUnscheduledCommand({ all }: Tables, transaction: Transaction, { type, task }: Schedule): void {
  if (type !== 'command' || !all.errands.get(task)) return
  const isScheduled = [...all.schedules.all()].some(schedule => runsScheduledCommand(schedule, task))
  if (!isScheduled) transaction.delete('errands', task)
}
