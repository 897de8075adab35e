// Warns of a schedule that names something which does not exist: it may be added before the schedule runs.
import type { Request, Schedule, Services } from 'fleet-host'

type Target = Pick<Schedule, 'type' | 'task'>

export async function warnOfMissingTarget(
  target: Target,
  request: Pick<Request, 'warn'>,
  { store }: Pick<Services, 'store'>,
): Promise<void> {
  if ((await findTarget(target, store)) === undefined) request.warn(`task: there is no ${target.type} ${target.task}`)
}

function findTarget({ type, task: id }: Target, { tasks, procedures, schedules }: Services['store']): Promise<unknown> {
  if (type === 'task') return tasks.find(id)
  return type === 'procedure' ? procedures.find(id) : schedules.findScheduledCommand(id)
}
