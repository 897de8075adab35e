// The records of a planned restore, made and removed together: a procedure with its step, a task, and a schedule that
// names both, or a job at once.
import type { CommandStore, Schedule, Step, TaskOptions } from '../../../stores/store.ts'
import { isRefusal, refuse } from '../../contract/refusal.ts'
import type { Caller, Refusal, Services } from '../../contract/services.ts'
import { createMutex } from '../../system/mutex.ts'

export interface NewRecords {
  name: string
  center: number
  clients: string[]
  step: Step
  options: TaskOptions
}

type Ids = NonNullable<Schedule['plan']>

/** What was made with a schedule, unless it runs something else now. */
export const planOf = ({ type, task, plan }: Schedule): Ids | undefined =>
  type === 'task' && task === plan?.task ? plan : undefined

export function createRecords({ store, schedules, jobs }: Pick<Services, 'store' | 'schedules' | 'jobs'>) {
  const inTurn = createMutex()

  return {
    /** Without `at` it runs at once. Resolves to the ids of the schedule or the job, and of the task. */
    async add(records: NewRecords, at: Date | undefined, caller: Caller) {
      const added = await inTurn(() => addTask(records, store))
      if (typeof added === 'string') return refuse(`plan ${records.name}: ${added}`)
      const { name, plan } = added
      const schedule = { task: plan.task, name, type: 'task', suspended: 0, plan } as const
      const id = await (at ? schedules.create({ ...schedule, at }, caller) : jobs.runTask(plan.task, caller))
      if (!isRefusal(id)) return { task: plan.task, id }
      await removeTask(plan, store)
      return id
    },

    async remove(id: number, plan: Ids, caller: Caller): Promise<Refusal | undefined> {
      const refusal = await schedules.delete(id, caller)
      if (!refusal) await removeTask(plan, store)
      return refusal
    },
  }
}

/** Resolves to why there is no task, else to its name and the ids. */
async function addTask({ name: wanted, step, clients, options, center }: NewRecords, store: CommandStore) {
  const record = { center, name: await freeName(wanted, center, store), description: '' }
  const procedure = await store.procedures.add({ ...record, steps: [step] })
  if (typeof procedure === 'string') return procedure
  const task = await store.tasks.add({ ...record, steps: [{ procedure }], clients, options })
  if (typeof task === 'number') return { name: record.name, plan: { task, procedure } }
  await store.procedures.delete(procedure)
  return task
}

/** Names are unique in a center: the second plan of a minute is `<name> (2)`. */
async function freeName(name: string, center: number, { procedures, tasks }: CommandStore): Promise<string> {
  const records = [...(await procedures.list()), ...(await tasks.list())]
  const taken = new Set(records.flatMap(record => (record.center === center ? [record.name] : [])))
  if (!taken.has(name)) return name
  for (let number = 2; ; number += 1) if (!taken.has(`${name} (${number})`)) return `${name} (${number})`
}

/** What something else names stays. */
async function removeTask({ task, procedure }: Ids, { tasks, procedures }: CommandStore): Promise<void> {
  if ((await tasks.delete(task)) === 'deleted') await procedures.delete(procedure)
}
