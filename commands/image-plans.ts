// Lists the planned restores of images, with when they start and their newest job.
import type { Command } from 'fleet-host'
import { planOf } from './_plan-mark.ts'
import { described, flag, integer, like, list, partial, result, text, time } from './_schemas/results.ts'
import { runOptions } from './_schemas/tasks.ts'

const planEntry = result(
  {
    schedule: described(integer, 'its id', 3),
    task: described(integer, 'id of what it runs', 7),
    name: like(text, 'win11 2026-11-23 22:00'),
    image: like(text, 'win11'),
    disk: like(text, '1'),
    partition: like(text, '2'),
    computers: described(integer, 'absent for a task with a scope', 96),
    suspended: described(flag, 'it does not fire', false),
    options: described(partial(runOptions), 'how it runs', { until: '06:30', batch: 20 }),
    next: described(time, 'when it starts; absent when it never does any more'),
    missed: described(
      time,
      'when the last run was due that did not take place; absent after a later run and a restart',
    ),
    job: described(integer, 'id of its newest job', 9),
  },
  ['computers', 'next', 'missed', 'job'],
)

/** Among so many jobs of restores the newest one of a plan is looked for. */
const searchedJobs = 200

export default {
  summary: 'List the planned restores of images',
  group: 'Disks and images',
  route: 'GET /image/plans',
  heavy: true,
  returns: result({ plans: list(planEntry) }),
  scoped: true,
  async answer({ services, request }) {
    const { store, schedules } = services
    const procedures = new Map((await store.procedures.list()).map(({ id, steps }) => [id, steps]))
    const tasks = new Map((await store.tasks.list()).map(task => [task.id, task]))
    const jobs = await store.jobs.list({ command: 'image-restore', limit: searchedJobs })
    const plans = (await schedules.list(request)).map(async schedule => {
      const { id, name, suspended, by } = schedule
      const plan = planOf(schedule)
      const task = plan && tasks.get(plan.task)
      const steps = plan ? procedures.get(plan.procedure) : undefined
      const restore = steps?.find(step => 'command' in step && step.command === 'image-restore')
      if (!task || !restore || !('command' in restore)) return []
      const next = await schedules.next(id, 1, request)
      const { name: image = '', disk = '', partition = '' } = restore.params
      const job = jobs.find(each => each.origin === 'schedule' && each.name === name && each.account === by)?.id
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
        next: services.isRefusal(next) ? undefined : next[0],
        missed: schedules.missed(id),
        job,
      }
    })
    return { plans: (await Promise.all(plans)).flat() }
  },
} satisfies Command
