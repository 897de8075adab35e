// The records of planned restores, added and deleted together: a procedure with its step, a task, and a schedule that
// names both, or a job at once.
import type { Step, TaskOptions } from '../../../stores/store.ts'
import { isRefusal, refuse } from '../../contract/refusal.ts'
import type { Caller, JobRuns, Refusal, Request, Services, UnstoredTask } from '../../contract/services.ts'
import { plannedName } from './planned-name.ts'

export type RecordDeps = Pick<Services, 'store' | 'schedules'> & { jobs: JobRuns }

interface NewRecords {
  name: string
  center: number
  clients: string[]
  step: Step
  options: TaskOptions
}

/**
 * Nothing is stored of what may not run. Without `at` it runs at once. Resolves to the ids of the schedule or the job, and
 * of the task.
 */
export async function addRecords(records: NewRecords, at: Date | undefined, caller: Caller, deps: RecordDeps) {
  const { schedules, jobs } = deps
  let task = 0
  const unstored: UnstoredTask = {
    ...records,
    steps: [records.step],
    async store(schedule) {
      const added = await storeRecords(records, schedule, deps)
      if (!isRefusal(added)) task = added.task
      return added
    },
  }
  const id = await (at ? schedules.createOnce(unstored, at, caller) : jobs.runTask(unstored, caller))
  return isRefusal(id) ? id : { id, task }
}

/** Names are unique in a center: the second one of a minute is `<name> (2)`. */
async function storeRecords(
  { step, clients, options, center, ...records }: NewRecords,
  schedule: Parameters<UnstoredTask['store']>[0],
  { store }: RecordDeps,
) {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? records.name : `${records.name} (${number})`
    const named = { name, center, description: '', planned: true }
    const added = await store.schedules.addPlannedRestore({
      procedure: { ...named, steps: [step] },
      task: { ...named, clients, options },
      schedule: schedule && { ...schedule, name },
    })
    if (typeof added === 'object') return { ...added, name }
    if (added !== 'name taken') return refuse(`planned restore ${name}: ${added}`)
  }
}

export async function deleteRecords(
  command: string,
  id: number,
  caller: Caller,
  { store, schedules }: RecordDeps,
): Promise<Refusal | undefined> {
  const plan = (await schedules.list(caller)).find(each => each.id === id)?.plan
  const procedure = plan && (await store.procedures.find(plan.procedure))
  if (findRestore(procedure?.steps, command)) return schedules.delete(id, caller)
  return refuse(`id: there is no planned restore ${id}`, caller.rights.isLimited ? 403 : 400)
}

/** With when they start and their newest job. `command`: the one that restores an image. */
export async function listRecords(command: string, caller: Caller, deps: RecordDeps) {
  const { store, schedules } = deps
  const procedures = new Map((await store.procedures.list()).map(({ id, steps }) => [id, steps]))
  const tasks = new Map((await store.tasks.list()).map(task => [task.id, task]))
  const entries = (await schedules.list(caller)).map(async schedule => {
    const { plan } = schedule
    const task = plan && tasks.get(plan.task)
    const restore = plan && findRestore(procedures.get(plan.procedure), command)
    if (!task || !restore) return []
    const { id, name, suspended } = schedule
    const next = await schedules.next(id, 1, caller)
    const [job] = await store.jobs.list({ schedule: id, command, limit: 1 })
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
      job: job?.id,
    }
  })
  return (await Promise.all(entries)).flat()
}

/** Restores that start less than this apart, in milliseconds, are of one night. */
const nightLength = 12 * 3_600_000

interface Meant {
  starts: Date
  disk: string
  partition: string
  clients: readonly string[]
}

/** Those of the same night that would write to the same partition of some of the clients. */
export async function findEarlier(command: string, meant: Meant, caller: Caller, deps: RecordDeps) {
  const clientsOf = new Map((await deps.store.tasks.list()).map(({ id, clients = [] }) => [id, clients]))
  return (await listRecords(command, caller, deps)).flatMap(({ schedule, task, image, next, disk, partition }) => {
    const isNear = next !== undefined && Math.abs(Date.parse(next) - meant.starts.getTime()) < nightLength
    if (!isNear || disk !== meant.disk || partition !== meant.partition) return []
    const computers = clientsOf.get(task)?.filter(client => meant.clients.includes(client)).length
    return computers ? [{ schedule, image, starts: next, computers }] : []
  })
}

/** Where the schedule is a planned restore: about others of the same night on some of its computers. */
export async function warnOfEarlier(
  command: string,
  id: number,
  request: Caller & Pick<Request, 'warn'>,
  deps: RecordDeps,
): Promise<void> {
  const own = (await listRecords(command, request, deps)).find(({ schedule }) => schedule === id)
  if (!own?.next) return
  const { clients = [] } = (await deps.store.tasks.find(own.task)) ?? {}
  for (const other of await findEarlier(command, { ...own, starts: new Date(own.next), clients }, request, deps)) {
    const { schedule, image, starts, computers } = other
    if (schedule === id) continue
    const name = plannedName(image, new Date(starts))
    const on = `${computers} ${computers === 1 ? 'computer' : 'computers'} of these`
    request.warn(
      `planned already for that night: ${name}: schedule ${schedule}, for ${on}; what is restored last stays`,
    )
  }
}

const findRestore = (steps: readonly Step[] = [], command: string) =>
  steps.flatMap(step => ('command' in step && step.command === command ? [step] : []))[0]
