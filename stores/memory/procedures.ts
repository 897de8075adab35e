// Procedures and tasks: named lists of steps, which must not lead back to themselves.
import { isSameStep, leadsTo, type NamedStep } from '../rules/steps.ts'
import type { New, NewPlannedRestore, Schedule, StepConflict, Store, Task } from '../store.ts'
import { type RecordTable, recordTable } from './record-table.ts'
import type { Tables } from './tables/tables.ts'
import type { StoreContext, Transaction } from './tables/transaction.ts'

type ProcedureTable = 'procedures' | 'tasks'

export function procedures(context: StoreContext): Pick<Store, ProcedureTable> {
  return {
    procedures: collection(context, 'procedures'),
    tasks: collection(context, 'tasks'),
  }
}

/** The methods of both tables: a task without its additional keys is a procedure. */
function collection({ tables, mutate }: StoreContext, table: ProcedureTable): Store['tasks'] {
  const rows: RecordTable<Task> = recordTable(tables, table)
  return {
    list: async () => rows.list(),
    find: async id => rows.find(id),
    add: task => mutate(transaction => findConflict(tables, table, task) ?? rows.add(transaction, task)),
    update: task =>
      mutate(transaction => {
        if (!rows.find(task.id)) return 'unknown'
        return findConflict(tables, table, task, task.id) ?? rows.put(transaction, task)
      }),
    delete: id => mutate(transaction => deleteUnnamed(tables, transaction, table, id)),
  }
}

function deleteUnnamed(tables: Tables, transaction: Transaction, table: ProcedureTable, id: number) {
  if (!tables.all[table].get(id)) return 'unknown'
  if (isReferenced(tables, table, id)) return 'in use'
  transaction.delete(table, id)
  return 'deleted'
}

/** Nothing is added when there is a conflict. */
export function addPlannedTask(
  tables: Tables,
  transaction: Transaction,
  { procedure, task }: NewPlannedRestore,
): NonNullable<Schedule['plan']> | StepConflict {
  const conflict =
    findConflict(tables, 'procedures', procedure) ?? findConflict(tables, 'tasks', { ...task, steps: [] })
  if (conflict) return conflict
  const id = recordTable(tables, 'procedures').add(transaction, procedure)
  const steps = [{ procedure: id }]
  return { task: recordTable(tables, 'tasks').add(transaction, { ...task, steps }), procedure: id }
}

export function deletePlannedTask(
  tables: Tables,
  transaction: Transaction,
  { task, procedure }: NonNullable<Schedule['plan']>,
): void {
  const isDeleted = deleteUnnamed(tables, transaction, 'tasks', task) === 'deleted'
  if (isDeleted) deleteUnnamed(tables, transaction, 'procedures', procedure)
}

/** Removes all of a center, even those that steps of other centers or schedules name. */
export function removeProceduresAndTasks({ all }: Tables, transaction: Transaction, center: number): void {
  for (const table of ['procedures', 'tasks'] as const) {
    for (const row of all[table].sorted()) if (row.center === center) transaction.delete(table, row.id)
  }
}

/** `id` is absent for a new procedure or task: no step can name it yet. */
function findConflict(tables: Tables, table: ProcedureTable, task: New<Task>, id?: number): StepConflict | undefined {
  const { center, steps } = task
  if (!tables.all.centers.get(center)) return 'unknown center'
  if (recordTable(tables, table).isTaken(task, id)) return 'name taken'
  if (steps.some(step => !('command' in step) && !rowOf(tables, step))) return 'unknown step'
  return id !== undefined && leadsTo(steps, toStep(table, id), step => rowOf(tables, step)) ? 'loop' : undefined
}

const toStep = (table: ProcedureTable, id: number): NamedStep => (table === 'tasks' ? { task: id } : { procedure: id })

const rowOf = ({ all }: Tables, step: NamedStep): Readonly<Task> | undefined =>
  'task' in step ? all.tasks.get(step.task) : all.procedures.get(step.procedure)

/** Whether a step of any procedure or task names it, or a schedule. */
function isReferenced({ all }: Tables, table: ProcedureTable, id: number): boolean {
  const target = toStep(table, id)
  const type = table === 'tasks' ? 'task' : 'procedure'
  for (const { steps } of [...all.procedures.all(), ...all.tasks.all()]) {
    if (steps.some(step => !('command' in step) && isSameStep(step, target))) return true
  }
  return [...all.schedules.all()].some(schedule => schedule.type === type && schedule.task === id)
}
