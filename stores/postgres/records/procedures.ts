// Procedures and tasks: named lists of steps, which must not lead back to themselves.
import type { New, StepConflict, Store, Task } from '../../store.ts'
import type { Database, Statements } from '../connection/database.ts'
import { insertRow, raw, sql, toSet } from '../connection/sql.ts'
import { fromProcedure, fromTask, isId, type TaskRow, toProcedure, toTask } from '../jobs/work-rows.ts'

type ProcedureTable = 'procedures' | 'tasks'
type Values = ReturnType<typeof fromProcedure>

/** How a table is called, and how its rows are converted. */
interface Collection {
  table: ProcedureTable
  /** In steps and in schedules. */
  type: 'procedure' | 'task'
  from(task: New<Task>): Values
  to(row: TaskRow): Task
}

/**
 * Writers wait for each other until their transactions end, as no constraint of the tables can refuse loops of steps, or
 * the deletion of what a step names. Readers do not wait.
 */
const lock = sql`select pg_advisory_xact_lock(hashtext('fleet-host steps'), hashtext(current_schema()))`

export function procedures(database: Database): Pick<Store, ProcedureTable> {
  return {
    procedures: methodsOf({ table: 'procedures', type: 'procedure', from: fromProcedure, to: toProcedure }, database),
    tasks: methodsOf({ table: 'tasks', type: 'task', from: fromTask, to: toTask }, database),
  }
}

/** The methods of both tables: a task without its additional keys is a procedure. */
function methodsOf(collection: Collection, { read, transaction }: Database): Store['tasks'] {
  const { from, to } = collection
  const table = raw(collection.table)
  return {
    list: async () => (await sql<TaskRow>`select * from ${table} order by id`.all(read)).map(to),
    async find(id) {
      if (!isId(id)) return undefined
      const row = await sql<TaskRow>`select * from ${table} where id = ${id}`.first(read)
      return row && to(row)
    },
    add(task) {
      const row = from(task)
      return transaction(async statements => {
        await lock.run(statements)
        const conflict = await findConflict(statements, collection, row)
        // A new row cannot be unknown.
        if (conflict && conflict !== 'unknown') return conflict
        return insertRow(statements, collection.table, row)
      })
    },
    async update(task) {
      if (!isId(task.id)) return 'unknown'
      const row = from(task)
      return transaction(async statements => {
        await lock.run(statements)
        const conflict = await findConflict(statements, collection, row, task.id)
        if (conflict) return conflict
        await sql`update ${table} set ${toSet(row)} where id = ${task.id}`.run(statements)
        return 'updated'
      })
    },
    async delete(id) {
      if (!isId(id)) return 'unknown'
      return transaction(async statements => {
        await lock.run(statements)
        if (await isNamed(statements, collection, id)) return 'in use'
        const deleted = await sql`delete from ${table} where id = ${id}`.run(statements)
        return deleted > 0 ? 'deleted' : 'unknown'
      })
    },
  }
}

/** `id` is 0 for a new procedure or task: no step can name it yet. */
async function findConflict(
  statements: Statements,
  { table, type }: Collection,
  { center, name, procedure_steps, task_steps }: Values,
  id = 0,
): Promise<StepConflict | 'unknown' | undefined> {
  if (!isId(center)) return 'unknown center'
  // The server would refuse other numbers.
  const hasIds = [...procedure_steps, ...task_steps].every(isId)
  const row = await sql<{ is_there: boolean; has_center: boolean; is_taken: boolean }>`
    select
      exists (select from ${raw(table)} where id = ${id}) as is_there,
      exists (select from centers where id = ${center}) as has_center,
      exists (select from ${raw(table)} where center = ${center} and name = ${name} and id <> ${id}) as is_taken
  `.one(statements)
  if (id > 0 && !row.is_there) return 'unknown'
  if (!row.has_center) return 'unknown center'
  if (row.is_taken) return 'name taken'
  if (!hasIds) return 'unknown step'
  return procedure_steps.length + task_steps.length === 0
    ? undefined
    : findStepConflict(statements, { type, id, procedure_steps, task_steps })
}

interface Steps extends Pick<Values, 'procedure_steps' | 'task_steps'> {
  type: Collection['type']
  id: number
}

async function findStepConflict(
  statements: Statements,
  { type, id, procedure_steps, task_steps }: Steps,
): Promise<StepConflict | undefined> {
  const { is_unknown, is_loop } = await sql<{ is_unknown: boolean; is_loop: boolean }>`
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
      exists (select from named where type = 'procedure' and id not in (select id from procedures))
        or exists (select from named where type = 'task' and id not in (select id from tasks)) as is_unknown,
      exists (select from reached where type = ${type} and id = ${id}) as is_loop
  `.one(statements)
  if (is_unknown) return 'unknown step'
  return is_loop ? 'loop' : undefined
}

/** Whether a step of any procedure or task names it, or a schedule. */
async function isNamed(statements: Statements, { type }: Collection, id: number): Promise<boolean> {
  const names = await sql`
    select id from named_steps where type = ${type} and id = ${id}
    union select task from schedules where type = ${type} and task = ${id}
  `.run(statements)
  return names > 0
}
