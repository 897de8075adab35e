// Procedures, tasks, schedules and jobs as rows of the tables, and back.
import { storedValues } from '../../records/stored-values.ts'
import type { IndexedPart, Job, New, Part, Procedure, Schedule, ScheduledCommand, Task } from '../../store.ts'
import { raw } from '../connection/sql.ts'

/** JSON is text, which is read as it was written: the order of its keys stays. */
type Json = string

export function fromProcedure(procedure: New<Procedure>) {
  const { steps, ...row } = storedValues('procedures', procedure)
  return {
    ...row,
    steps: JSON.stringify(steps),
    procedure_steps: steps.flatMap(step => ('procedure' in step ? step.procedure : [])),
    task_steps: steps.flatMap(step => ('task' in step ? step.task : [])),
  }
}

export const fromTask = (task: New<Task>) => ({
  ...fromProcedure(task),
  scope_type: task.scope?.type ?? null,
  scope_id: task.scope?.id ?? null,
  clients: task.clients ?? null,
  options: task.options ? JSON.stringify(task.options) : null,
})

export type ProcedureRow = Omit<Procedure, 'steps'> & { steps: Json }

export interface TaskRow extends ProcedureRow {
  scope_type: NonNullable<Task['scope']>['type'] | null
  scope_id: number | null
  clients: string[] | null
  options: Json | null
}

export function toProcedure({ id, center, name, description, steps }: ProcedureRow): Procedure {
  return { id, center, name, description, steps: JSON.parse(steps) }
}

export function toTask(row: TaskRow): Task {
  const task: Task = toProcedure(row)
  if (row.scope_type !== null && row.scope_id !== null) task.scope = { type: row.scope_type, id: row.scope_id }
  if (row.clients !== null) task.clients = row.clients
  if (row.options !== null) task.options = JSON.parse(row.options)
  return task
}

export function fromScheduledCommand({ clients, command, params }: New<ScheduledCommand>) {
  return { clients, command, params: JSON.stringify(params) }
}

export type ScheduledCommandRow = Omit<ScheduledCommand, 'params'> & { params: Json }

export function toScheduledCommand({ id, clients, command, params }: ScheduledCommandRow): ScheduledCommand {
  return { id, clients, command, params: JSON.parse(params) }
}

export function fromSchedule(schedule: New<Schedule>) {
  // `by` is absent in dumps of earlier versions.
  const { by: maker = 'admin', plan, ...row } = storedValues('schedules', schedule)
  return { ...row, maker, plan_task: plan?.task ?? null, plan_procedure: plan?.procedure ?? null }
}

export interface ScheduleRow extends Omit<Schedule, 'by' | 'plan'> {
  maker: string
  plan_task: number | null
  plan_procedure: number | null
}

export function toSchedule(columns: ScheduleRow): Schedule {
  const { maker, plan_task: task, plan_procedure: procedure, ...row } = columns
  const plan = task !== null && procedure !== null && { plan: { task, procedure } }
  return { ...row, by: maker, ...plan }
}

export function fromJob(job: New<Job>) {
  // `by` is absent in dumps of earlier versions.
  const { by: maker = '', caller = null, account = null, conditions, ...row } = storedValues('jobs', job)
  const commands = [...new Set(job.steps.map(({ command }) => command))]
  return { ...row, caller, maker, account, commands, conditions: conditions ? JSON.stringify(conditions) : null }
}

export interface JobRow extends Pick<Job, 'id' | 'created' | 'origin' | 'name'> {
  caller: string | null
  maker: string
  account: string | null
  steps: Json
  conditions: Json | null
}

/** What `toJob` reads. */
export const jobColumns = raw(
  'jobs.id, jobs.created, jobs.origin, jobs.name, jobs.caller, jobs.maker, jobs.account, jobs.steps, jobs.conditions',
)

export function toJob(row: JobRow): Job {
  const { id, created, origin, name, caller, maker, account, steps, conditions } = row
  const job: Job = { id, created, origin, name, by: maker, steps: JSON.parse(steps) }
  if (caller !== null) job.caller = caller
  if (account !== null) job.account = account
  if (conditions !== null) job.conditions = JSON.parse(conditions)
  return job
}

/** What `toPart` reads, apart from the output. */
export const partColumns = raw(
  ['part', 'client', 'step', 'state', 'reason', 'queued', 'sent', 'ended', 'expires', 'output_dropped']
    .map(column => `job_parts.${column}`)
    .join(', '),
)

export interface PartRow extends Omit<Part, 'output' | 'output_dropped'> {
  part: number
  output?: string
  output_dropped: boolean
}

/** Without a column `output` it is ''. */
export function toPart({ part: index, output_dropped, output = '', ...row }: PartRow): IndexedPart {
  const { client, step, state, reason, queued, sent, ended, expires } = row
  const part: IndexedPart = { index, client, step, state, reason, queued, sent, ended, expires, output }
  if (output_dropped) part.output_dropped = true
  return part
}

/** In the order of the rows. */
export function groupByJob<Row extends { job: number }>(rows: readonly Row[]): Map<number, Row[]> {
  const groups = new Map<number, Row[]>()
  for (const row of rows) if (!groups.get(row.job)?.push(row)) groups.set(row.job, [row])
  return groups
}

/** Whether a number can be the id of a row; others would be refused by the server. */
export const isId = (id: number): boolean => Number.isSafeInteger(id) && id > 0
