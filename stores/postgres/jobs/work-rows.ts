// Procedures, tasks, schedules and jobs as rows of the tables, and back.
import type { Insertable, Selectable } from 'kysely'
import type {
  IndexedPart,
  Job,
  JobConditions,
  New,
  Procedure,
  Schedule,
  ScheduledCommand,
  Step,
  Task,
} from '../../store.ts'
import type { Tables } from '../records/table-types.ts'

/** A row to be inserted: without an id the table assigns it. */
type Values<Name extends keyof Tables> = Insertable<Tables[Name]>
type Row<Name extends keyof Tables> = Selectable<Tables[Name]>

/** Who made the schedules of earlier versions. */
const defaultMaker = 'admin'

export function fromProcedure({ center, name, description, steps }: New<Procedure>): Values<'procedures'> {
  return {
    center,
    name,
    description,
    steps: JSON.stringify(steps.map(copyStep)),
    procedure_steps: steps.flatMap(step => ('procedure' in step ? step.procedure : [])),
    task_steps: steps.flatMap(step => ('task' in step ? step.task : [])),
  }
}

export const fromTask = (task: New<Task>): Values<'tasks'> => ({
  ...fromProcedure(task),
  scope_type: task.scope?.type ?? null,
  scope_id: task.scope?.id ?? null,
  clients: task.clients ?? null,
  options: task.options ? JSON.stringify(task.options) : null,
})

/** Only the keys of the type: others of a caller's object are not stored. */
function copyStep(step: Step): Step {
  if ('command' in step) return { command: step.command, params: step.params }
  return 'task' in step ? { task: step.task } : { procedure: step.procedure }
}

type ProcedureRow = Pick<Row<'procedures'>, 'id' | 'center' | 'name' | 'description' | 'steps'>

export function toProcedure({ id, center, name, description, steps }: ProcedureRow): Procedure {
  return { id, center, name, description, steps: JSON.parse(steps) }
}

export function toTask(row: Row<'tasks'>): Task {
  const task: Task = toProcedure(row)
  if (row.scope_type !== null && row.scope_id !== null) task.scope = { type: row.scope_type, id: row.scope_id }
  if (row.clients !== null) task.clients = row.clients
  if (row.options !== null) task.options = JSON.parse(row.options)
  return task
}

export function fromScheduledCommand(scheduled: New<ScheduledCommand>): Values<'scheduled_commands'> {
  const { clients, command, params } = scheduled
  return { clients, command, params: JSON.stringify(params) }
}

export function toScheduledCommand({ id, clients, command, params }: Row<'scheduled_commands'>): ScheduledCommand {
  return { id, clients, command, params: JSON.parse(params) }
}

/** `by` is absent in dumps of earlier versions. */
export function fromSchedule(schedule: Omit<New<Schedule>, 'by'> & { by?: string }): Values<'schedules'> {
  const { type, task, name, suspended, since, by = defaultMaker, plan } = schedule
  const { years, months, weeks, week_days, days, hours, am_pm, minutes } = schedule
  const when = { years, months, weeks, week_days, days, hours, am_pm, minutes }
  const marks = { plan_task: plan?.task ?? null, plan_procedure: plan?.procedure ?? null }
  return { type, task, name, suspended, since, maker: by, ...when, ...marks }
}

export function toSchedule(columns: Row<'schedules'>): Schedule {
  const { maker, suspended, plan_task: task, plan_procedure: procedure, ...row } = columns
  const plan = task !== null && procedure !== null && { plan: { task, procedure } }
  return { ...row, suspended: suspended === 1 ? 1 : 0, by: maker, ...plan }
}

/** `by` is absent in dumps of earlier versions. */
export function fromJob(job: Omit<New<Job>, 'by'> & { by?: string }): Values<'jobs'> {
  const { created, origin, name, caller = null, by = '', account = null, conditions } = job
  const steps = job.steps.map(({ command, payload }) => ({ command, payload }))
  const commands = [...new Set(steps.map(({ command }) => command))]
  const values = { created, origin, name, caller, maker: by, account, steps: JSON.stringify(steps), commands }
  // A job without conditions is stored by the statement that it has always been.
  return conditions ? { ...values, conditions: JSON.stringify(copyConditions(conditions)) } : values
}

/** Only the keys of the type. */
const copyConditions = ({ when_idle, until, batch, after_success }: JobConditions): JobConditions => ({
  when_idle,
  until,
  batch,
  after_success,
})

export function toJob(row: Omit<Row<'jobs'>, 'commands'>): Job {
  const { id, created, origin, name, caller, maker, account, steps, conditions } = row
  const job: Job = { id, created, origin, name, by: maker, steps: JSON.parse(steps) }
  if (caller !== null) job.caller = caller
  if (account !== null) job.account = account
  if (conditions !== null) job.conditions = JSON.parse(conditions)
  return job
}

/** The columns of a part that `toPart` reads. */
export const partColumns = [
  'part',
  'client',
  'step',
  'state',
  'reason',
  'queued',
  'sent',
  'ended',
  'expires',
  'output_dropped',
] as const satisfies readonly (keyof Tables['job_parts'])[]

type PartRow = Pick<Row<'job_parts'>, (typeof partColumns)[number]> & { output?: string }

/** Without a column `output` it is ''. */
export function toPart({ part: index, output_dropped, output = '', ...row }: PartRow): IndexedPart {
  const { client, step, state, reason, queued, sent, ended, expires } = row
  const part: IndexedPart = { index, client, step, state, reason, queued, sent, ended, expires, output }
  if (output_dropped) part.output_dropped = true
  return part
}

/** Whether a number can be the id of a row; others would be refused by the server. */
export const isId = (id: number): boolean => Number.isSafeInteger(id) && id > 0
