// Schedules and scheduled commands.
import type { Store } from '../../store.ts'
import type { Database, Statements } from '../connection/database.ts'
import { insertRow, type Sql, sql, toSet } from '../connection/sql.ts'
import {
  fromSchedule,
  fromScheduledCommand,
  isId,
  type ScheduledCommandRow,
  type ScheduleRow,
  toSchedule,
  toScheduledCommand,
} from '../jobs/work-rows.ts'

export function schedules({ read, write, transaction }: Database): Store['schedules'] {
  return {
    list: async () => (await sql<ScheduleRow>`select * from schedules order by id`.all(read)).map(toSchedule),
    async findScheduledCommand(id) {
      if (!isId(id)) return undefined
      const row = await sql<ScheduledCommandRow>`select * from scheduled_commands where id = ${id}`.first(read)
      return row && toScheduledCommand(row)
    },

    add(schedule) {
      const row = fromSchedule(schedule)
      return write(statements => insertRow(statements, 'schedules', row))
    },
    addScheduledCommand(scheduled, schedule) {
      const command = fromScheduledCommand(scheduled)
      const row = fromSchedule({ ...schedule, type: 'command', task: 0 })
      return transaction(async statements => {
        const task = await insertRow(statements, 'scheduled_commands', command)
        return insertRow(statements, 'schedules', { ...row, task })
      })
    },
    async update(schedule) {
      const row = fromSchedule(schedule)
      return changeSchedule(schedule.id, sql`update schedules set ${toSet(row)}`)
    },
    async setSince(id, since) {
      await write(statements => sql`update schedules set since = ${since} where id = ${id}`.run(statements))
    },
    delete: id => changeSchedule(id, sql`delete from schedules`),
  }

  /** `change` lacks the condition. False for an unknown id. */
  async function changeSchedule(id: number, change: Sql): Promise<boolean> {
    if (!isId(id)) return false
    return transaction(async statements => {
      const before = await sql<Target>`select type, task from schedules where id = ${id} for update`.first(statements)
      if (!before) return false
      await sql`${change} where id = ${id}`.run(statements)
      await deleteUnscheduledCommand(statements, before)
      return true
    })
  }
}

type Target = Pick<ScheduleRow, 'type' | 'task'>

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
