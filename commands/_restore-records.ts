// The records of a planned restore: a procedure with its step, a task with the computers and options, a schedule.
import type { Refusal, Request, Services, Step, TaskOptions } from 'fleet-host'
import { masksOfMinute } from './_once.ts'
import { deleteRecords } from './_plan-mark.ts'

export interface RestoreRecords {
  name: string
  center: number
  clients: string[]
  step: Step
  options: TaskOptions
}

/** How many plans may have the same name: those of one minute. */
const mostNames = 100

/** Without `starts` it runs at once: the response has the id of the job. Resolves to the ids of the new records. */
export async function addPlan(
  plan: RestoreRecords,
  starts: Date | undefined,
  services: Services,
  request: Request<unknown>,
): Promise<{ task: number; schedule?: number } | Refusal> {
  const added = await addTask(plan, services)
  if (typeof added === 'string') return services.refuse(`plan ${plan.name}: ${added}`)
  const { task, name } = added
  const run = { task, name, type: 'task', suspended: 0, plan: added.plan } as const
  const id = await (starts
    ? services.schedules.create({ ...run, when: masksOfMinute(starts) }, request)
    : services.jobs.runTask(task, request))
  if (services.isRefusal(id)) await deleteRecords(added.plan, services)
  if (services.isRefusal(id)) return id
  if (!starts) request.job(id)
  return { task, ...(starts && { schedule: id }) }
}

/** Names are unique in a center: the second one is `<name> (2)`. Resolves to why there is no task, else to its id and name, and to all ids. */
async function addTask({ name, step, clients, options, center }: RestoreRecords, { store }: Services) {
  for (let number = 1; number <= mostNames; number += 1) {
    const record = { center, name: number === 1 ? name : `${name} (${number})`, description: '' }
    const procedure = await store.procedures.add({ ...record, steps: [step] })
    if (procedure === 'name taken') continue
    if (typeof procedure === 'string') return procedure
    const task = await store.tasks.add({ ...record, steps: [{ procedure }], clients, options })
    if (typeof task === 'number') return { task, name: record.name, plan: { task, procedure } }
    await store.procedures.delete(procedure)
    if (task !== 'name taken') return task
  }
  return 'name taken'
}
