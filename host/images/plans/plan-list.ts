// Lists planned restores, with when they start and their newest job.
import type { Job, Schedule, Step } from '../../../stores/store.ts'
import { isRefusal } from '../../contract/refusal.ts'
import type { Caller, Services } from '../../contract/services.ts'
import { planOf } from './plan-records.ts'

/** Among so many jobs of restores the newest one of a plan is looked for. */
const searchedJobs = 200

/** The schedules of the caller that plans have made. */
export const listPlans = async (caller: Caller, { schedules }: Pick<Services, 'schedules'>) =>
  (await schedules.list(caller)).flatMap(schedule => {
    const plan = planOf(schedule)
    return plan ? [{ schedule, plan }] : []
  })

export async function listEntries(
  command: string,
  caller: Caller,
  deps: Pick<Services, 'store' | 'schedules'>,
): Promise<object[]> {
  const { store, schedules } = deps
  const procedures = new Map((await store.procedures.list()).map(({ id, steps }) => [id, steps]))
  const tasks = new Map((await store.tasks.list()).map(task => [task.id, task]))
  const jobs = await store.jobs.list({ command, limit: searchedJobs })
  const entries = (await listPlans(caller, deps)).map(async ({ schedule, plan }) => {
    const task = tasks.get(plan.task)
    const restore = findRestore(procedures.get(plan.procedure), command)
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
