// Schedules and scheduled commands.
import type { Schedule, Store } from '../../store.ts'
import type { Database, Statements } from '../connection/database.ts'
import { sql } from '../connection/sql.ts'
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
        return tables.schedules.add(statements, { ...row, task })
      })
    },
    async update(schedule) {
      const row = tables.schedules.row(schedule)
      return changeSchedule(schedule.id, statements => tables.schedules.update(statements, schedule.id, row))
    },
    async setSince(id, since) {
      await write(statements => sql`update schedules set since = ${since} where id = ${id}`.run(statements))
    },
    delete: id => changeSchedule(id, statements => sql`delete from schedules where id = ${id}`.run(statements)),
  }

  /** False for an unknown id. */
  async function changeSchedule(id: number, change: (statements: Statements) => Promise<unknown>): Promise<boolean> {
    return transaction(async statements => {
      const before = await sql<Target>`select type, task from schedules where id = ${id} for update`.first(statements)
      if (!before) return false
      await change(statements)
      await deleteUnscheduledCommand(statements, before)
      return true
    })
  }
}

type Target = Pick<Schedule, 'type' | 'task'>

/** Deletes the scheduled command that a schedule named, unless another schedule names it. */
async function deleteUnscheduledCommand(statements: Statements, { type, task }: Target): Promise<void> {
  if (type !== 'command') return
  // Of two writers that remove the last two schedules of a command, the second one must see what the first one did.
  await sql`select id from scheduled_commands where id = ${task} for update`.run(statements)
  await sql`
    delete from scheduled_commands
    where id = ${task} and not exists (select from schedules where type = 'command' and task = scheduled_commands.id)
  `.run(statements)
}
