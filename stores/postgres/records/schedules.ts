// Schedules and scheduled commands.
import type { Store } from '../../store.ts'
import type { Database, Statements } from '../connection/database.ts'
import { fromSchedule, fromScheduledCommand, isId, toSchedule, toScheduledCommand } from '../jobs/work-rows.ts'

export function schedules({ read, write, transaction }: Database): Store['schedules'] {
  return {
    list: async () => (await read.selectFrom('schedules').selectAll().orderBy('id').execute()).map(toSchedule),
    async findScheduledCommand(id) {
      if (!isId(id)) return undefined
      const row = await read.selectFrom('scheduled_commands').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toScheduledCommand(row)
    },

    add(schedule) {
      const row = fromSchedule(schedule)
      return write(statements => insertSchedule(statements, row))
    },
    addScheduledCommand(scheduled, schedule) {
      const command = fromScheduledCommand(scheduled)
      const row = fromSchedule({ ...schedule, type: 'command', task: 0 })
      return transaction(async statements => {
        const { id: task } = await statements
          .insertInto('scheduled_commands')
          .values(command)
          .returning('id')
          .executeTakeFirstOrThrow()
        return insertSchedule(statements, { ...row, task })
      })
    },
    async update(schedule) {
      const { id } = schedule
      if (!isId(id)) return false
      const row = fromSchedule(schedule)
      return transaction(async statements => {
        const before = await lockSchedule(statements, id)
        if (!before) return false
        await statements.updateTable('schedules').set(row).where('id', '=', id).execute()
        await deleteUnscheduledCommand(statements, before)
        return true
      })
    },
    async setSince(id, since) {
      await write(statements => statements.updateTable('schedules').set({ since }).where('id', '=', id).execute())
    },
    async delete(id) {
      if (!isId(id)) return false
      return transaction(async statements => {
        const before = await lockSchedule(statements, id)
        if (!before) return false
        await statements.deleteFrom('schedules').where('id', '=', id).execute()
        await deleteUnscheduledCommand(statements, before)
        return true
      })
    },
  }
}

async function insertSchedule(statements: Statements, row: ReturnType<typeof fromSchedule>): Promise<number> {
  const { id } = await statements.insertInto('schedules').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

type Target = { type: string; task: number }

/** What the schedule names until now. */
function lockSchedule(statements: Statements, id: number): Promise<Target | undefined> {
  return statements.selectFrom('schedules').select(['type', 'task']).where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Deletes the scheduled command that a schedule named, unless another schedule names it. */
async function deleteUnscheduledCommand(statements: Statements, { type, task }: Target): Promise<void> {
  if (type !== 'command') return
  // Of two writers that remove the last two schedules of a command, the second one must see what the first one did.
  await statements.selectFrom('scheduled_commands').select('id').where('id', '=', task).forUpdate().execute()
  await statements
    .deleteFrom('scheduled_commands')
    .where('id', '=', task)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('schedules')
            .whereRef('schedules.task', '=', 'scheduled_commands.id')
            .where('schedules.type', '=', 'command'),
        ),
      ),
    )
    .execute()
}
