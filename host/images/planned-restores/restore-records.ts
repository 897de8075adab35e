// The records of planned restores, added and deleted together: a procedure with its step, a task, and a schedule that
// names both, or a job at once.
import type { Job, Schedule, Step, TaskOptions } from '../../../stores/store.ts'
import { isRefusal, refuse } from '../../contract/refusal.ts'
import type { Caller, Refusal, Services } from '../../contract/services.ts'

type RecordDeps = Pick<Services, 'store' | 'schedules' | 'jobs'>

interface NewRecords {
  name: string
  center: number
  clients: string[]
  step: Step
  options: TaskOptions
}

/** Among so many jobs of restores the newest one of a planned restore is looked for. */
const searchedJobs = 200

/** What was made with a schedule, unless it runs something else now. */
const recordsOf = ({ type, task, plan }: Schedule) => (type === 'task' && task === plan?.task ? plan : undefined)

/** Without `at` it runs at once. Resolves to the ids of the schedule or the job, and of the task. */
export async function addRecords(records: NewRecords, at: Date | undefined, caller: Caller, deps: RecordDeps) {
  const { store, schedules, jobs } = deps
  const added = await addTask(records, store)
  if (typeof added === 'string') return refuse(`planned restore ${records.name}: ${added}`)
  const { name, ...plan } = added
  const schedule = { task: plan.task, name, type: 'task', suspended: 0, plan } as const
  const id = await (at ? schedules.create({ ...schedule, at }, caller) : jobs.runTask(plan.task, caller))
  if (!isRefusal(id)) return { task: plan.task, id }
  await deleteTask(plan, store)
  return id
}

/** Resolves to why there is no task. Names are unique in a center: the second one of a minute is `<name> (2)`. */
async function addTask({ step, clients, options, ...record }: NewRecords, { procedures, tasks }: Services['store']) {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? record.name : `${record.name} (${number})`
    const named = { ...record, name, description: '' }
    const procedure = await procedures.add({ ...named, steps: [step] })
    if (procedure === 'name taken') continue
    if (typeof procedure === 'string') return procedure
    const task = await tasks.add({ ...named, steps: [{ procedure }], clients, options })
    if (typeof task === 'number') return { name, task, procedure }
    await procedures.delete(procedure)
    if (task !== 'name taken') return task
  }
}

/** What something else names stays. */
async function deleteTask(
  { task, procedure }: NonNullable<Schedule['plan']>,
  { tasks, procedures }: Services['store'],
) {
  if ((await tasks.delete(task)) === 'deleted') await procedures.delete(procedure)
}

export async function deleteRecords(id: number, caller: Caller, deps: RecordDeps): Promise<Refusal | undefined> {
  const { store, schedules } = deps
  const schedule = (await schedules.list(caller)).find(each => each.id === id)
  const plan = schedule && recordsOf(schedule)
  if (!plan) return refuse(`id: there is no planned restore ${id}`, caller.rights.isLimited ? 403 : 400)
  const refusal = await schedules.delete(id, caller)
  if (!refusal) await deleteTask(plan, store)
  return refusal
}

/** With when they start and their newest job. `command`: the one that restores an image. */
export async function listRecords(command: string, caller: Caller, deps: RecordDeps): Promise<object[]> {
  const { store, schedules } = deps
  const procedures = new Map((await store.procedures.list()).map(({ id, steps }) => [id, steps]))
  const tasks = new Map((await store.tasks.list()).map(task => [task.id, task]))
  const jobs = await store.jobs.list({ command, limit: searchedJobs })
  const entries = (await schedules.list(caller)).map(async schedule => {
    const plan = recordsOf(schedule)
    const task = plan && tasks.get(plan.task)
    const restore = plan && findRestore(procedures.get(plan.procedure), command)
    if (!task || !restore) return []
    const { id, name, suspended } = schedule
    const next = await schedules.next(id, 1, caller)
    const { name: image = '', disk = '', partition = '' } = restore.params
    return {
      schedule: id,
      task: task.id,
      name,
      image: String(image),
      disk: String(disk),
      partition: String(partition),
      computers: task.clients?.length,
      suspended: suspended === 1,
      options: task.options ?? {},
      next: isRefusal(next) ? undefined : next[0],
      missed: schedules.missed(id),
      job: jobs.find(job => isOf(job, schedule))?.id,
    }
  })
  return (await Promise.all(entries)).flat()
}

const findRestore = (steps: readonly Step[] = [], command: string) =>
  steps.flatMap(step => ('command' in step && step.command === command ? [step] : []))[0]

/** A job says the name of its schedule and who made it, not the schedule's id. */
const isOf = ({ origin, name, account }: Job, schedule: Schedule) =>
  origin === 'schedule' && name === schedule.name && account === schedule.by
