// Procedures and tasks: named lists of steps, which must not lead back to themselves.
import type { NewPlannedRestore, Procedure, Schedule, StepConflict, StepLists, Store } from '../../store.ts'
import type { Database, Statements } from '../connection/database.ts'
import { raw, sql } from '../connection/sql.ts'
import type { Row, SqlTable } from './sql-table.ts'
import { tables } from './tables.ts'

/** How steps and schedules name the rows of a table. */
const types = { procedures: 'procedure', tasks: 'task' } as const
type Named = keyof typeof types

/**
 * Writers wait for each other until their transactions end, as no constraint of the tables can refuse loops of steps, or
 * the deletion of what a step names. Readers do not wait.
 */
export const stepsLock = sql`select pg_advisory_xact_lock(hashtext('fleet-host steps'), hashtext(current_schema()))`

export const procedures = (database: Database): Pick<Store, Named> => ({
  procedures: methodsOf('procedures', tables.procedures, database),
  tasks: methodsOf('tasks', tables.tasks, database),
})

function methodsOf<Value extends Procedure>(
  name: Named,
  table: SqlTable<Value>,
  { read, transaction }: Database,
): StepLists<Value> {
  return {
    list: () => table.list(read),
    find: id => table.find(read, sql`id = ${id}`),
    async add(record) {
      const row = table.row(record)
      return transaction(async statements => {
        await stepsLock.run(statements)
        const conflict = await findConflict(statements, name, row)
        return conflict ?? table.add(statements, row)
      })
    },
    async update(record) {
      const { id } = record
      const row = table.row(record)
      return transaction(async statements => {
        await stepsLock.run(statements)
        if (!(await table.find(statements, sql`id = ${id}`))) return 'unknown'
        const conflict = await findConflict(statements, name, row, id)
        return conflict ?? table.update(statements, id, row)
      })
    },
    delete: id =>
      transaction(async statements => {
        await stepsLock.run(statements)
        return deleteUnnamed(statements, name, id)
      }),
  }
}

async function deleteUnnamed(
  statements: Statements,
  name: Named,
  id: number,
): Promise<'deleted' | 'unknown' | 'in use'> {
  // A schedule may name one that is gone.
  if (!(await sql`select id from ${raw(name)} where id = ${id}`.first(statements))) return 'unknown'
  if (await isNamed(statements, types[name], id)) return 'in use'
  await sql`delete from ${raw(name)} where id = ${id}`.run(statements)
  return 'deleted'
}

/** Needs the lock. Nothing is added when there is a conflict. */
export async function addPlannedTask(
  statements: Statements,
  { procedure, task }: NewPlannedRestore,
): Promise<NonNullable<Schedule['plan']> | StepConflict> {
  const row = tables.procedures.row(procedure)
  const conflict =
    (await findConflict(statements, 'procedures', row)) ??
    (await findConflict(statements, 'tasks', tables.tasks.row({ ...task, steps: [] })))
  if (conflict) return conflict
  const id = await tables.procedures.add(statements, row)
  const steps = [{ procedure: id }]
  return { task: await tables.tasks.add(statements, tables.tasks.row({ ...task, steps })), procedure: id }
}

/** Needs the lock. */
export async function deletePlannedTask(
  statements: Statements,
  { task, procedure }: NonNullable<Schedule['plan']>,
): Promise<void> {
  const isDeleted = (await deleteUnnamed(statements, 'tasks', task)) === 'deleted'
  if (isDeleted) await deleteUnnamed(statements, 'procedures', procedure)
}

/** `id` is 0 for a new procedure or task: no step can name it yet. */
async function findConflict(statements: Statements, name: Named, row: Row, id = 0): Promise<StepConflict | undefined> {
  const { center_id, procedure_steps, task_steps } = row
  const conflicts = await sql<{ has_center: boolean; is_taken: boolean; is_unknown: boolean; is_loop: boolean }>`
    with recursive named (type, id) as (
      select 'procedure', unnest(${procedure_steps}::bigint[])
      union all
      select 'task', unnest(${task_steps}::bigint[])
    ),
    -- Each procedure and task once, also when several steps lead to it.
    reached (type, id) as (
      select type, id from named
      union
      select named_steps.type, named_steps.id
      from reached
      join named_steps on named_steps.owner_type = reached.type and named_steps.owner = reached.id
    )
    select
      exists (select from centers where id = ${center_id}) as has_center,
      exists (select from ${raw(name)} where center_id = ${center_id} and name = ${row.name} and id <> ${id}) as is_taken,
      exists (select from named where type = 'procedure' and id not in (select id from procedures))
        or exists (select from named where type = 'task' and id not in (select id from tasks)) as is_unknown,
      exists (select from reached where type = ${types[name]} and id = ${id}) as is_loop
  `.one(statements)
  if (!conflicts.has_center) return 'unknown center'
  if (conflicts.is_taken) return 'name taken'
  if (conflicts.is_unknown) return 'unknown step'
  return conflicts.is_loop ? 'loop' : undefined
}

/** Whether a step of any procedure or task names it, or a schedule. */
async function isNamed(statements: Statements, type: string, id: number): Promise<boolean> {
  const names = await sql`
    select id from named_steps where type = ${type} and id = ${id}
    union select target_id from schedules where type = ${type} and target_id = ${id}
  `.run(statements)
  return names > 0
}
