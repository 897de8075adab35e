// Schedules and scheduled commands.
import type { Schedule, Store } from '../../store.ts'
import type { Database, Statements } from '../connection/database.ts'
import { sql } from '../connection/sql.ts'
import { addPlannedTask, deletePlannedTask, stepsLock } from './procedures.ts'
import { tables } from './tables.ts'

export function schedules({ read, write, transaction }: Database): Store['schedules'] {
  return {
    list: () => tables.schedules.list(read),
    findScheduledCommand: id => tables.errands.find(read, sql`id = ${id}`),

    async add(schedule) {
      const row = tables.schedules.row(schedule)
      return write(statements => tables.schedules.add(statements, row))
    },
    async addScheduledCommand(scheduled, schedule) {
      const command = tables.errands.row(scheduled)
      const row = tables.schedules.row({ ...schedule, type: 'command', task: 0 })
      return transaction(async statements => {
        const task = await tables.errands.add(statements, command)
        return tables.schedules.add(statements, { ...row, target_id: task })
      })
    },
    async addPlannedRestore(restore) {
      const { schedule, ...rows } = structuredClone(restore)
      return transaction(async statements => {
        await stepsLock.run(statements)
        const plan = await addPlannedTask(statements, rows)
        if (typeof plan === 'string') return plan
        const row = schedule && tables.schedules.row({ ...schedule, type: 'task', task: plan.task, plan })
        return { ...plan, schedule: row ? await tables.schedules.add(statements, row) : 0 }
      })
    },
    async update(schedule) {
      const row = tables.schedules.row(schedule)
      return transaction(async statements => {
        const before = await lockSchedule(statements, schedule.id)
        if (!before) return false
        await tables.schedules.update(statements, schedule.id, row)
        await deleteUnscheduledCommand(statements, before)
        return true
      })
    },
    async setSince(id, since) {
      await write(statements => tables.schedules.update(statements, id, tables.schedules.changes({ since })))
    },
    delete: id =>
      transaction(async statements => {
        await stepsLock.run(statements)
        const before = await lockSchedule(statements, id)
        if (!before) return false
        await sql`delete from schedules where id = ${id}`.run(statements)
        await deleteUnscheduledCommand(statements, before)
        if (before.plan) await deletePlannedTask(statements, before.plan)
        return true
      }),
  }
}

async function lockSchedule(statements: Statements, id: number): Promise<Schedule | undefined> {
  const [schedule] = await tables.schedules.list(statements, sql`id = ${id}`, sql`for update`)
  return schedule
}

/** Deletes the scheduled command that a schedule named, unless another schedule names it. */
async function deleteUnscheduledCommand(statements: Statements, { type, task }: Schedule): Promise<void> {
  if (type !== 'command') return
  // Of two writers that remove the last two schedules of a command, the second one must see what the first one did.
  await sql`select id from scheduled_commands where id = ${task} for update`.run(statements)
  await sql`
    delete from scheduled_commands
    where id = ${task} and not exists (select from schedules where type = 'command' and target_id = scheduled_commands.id)
  `.run(statements)
}
