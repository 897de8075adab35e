// Warns of a schedule that names something which does not exist, or of whose times none is to come.
import type { Request, Schedule, Services } from 'fleet-host'

type Target = Pick<Schedule, 'type' | 'task'>

/** It may be added before the schedule runs. */
export async function warnOfMissingTarget(
  target: Target,
  request: Pick<Request, 'warn'>,
  { store }: Pick<Services, 'store'>,
): Promise<void> {
  if ((await findTarget(target, store)) === undefined) request.warn(`task: there is no ${target.type} ${target.task}`)
}

/** Without `when` it has run at once. */
export async function warnOfPast(
  { id, when }: { id: number; when: object | undefined },
  request: Request<unknown>,
  { schedules, isRefusal }: Pick<Services, 'schedules' | 'isRefusal'>,
): Promise<void> {
  const schedule = when && (await schedules.list(request)).find(one => one.id === id)
  if (!schedule || schedule.suspended) return
  const next = await schedules.next(id, 1, request)
  if (!isRefusal(next) && next.length === 0)
    request.warn('when: expected a time that is to come, got none: it never runs')
}

function findTarget({ type, task: id }: Target, { tasks, procedures, schedules }: Services['store']): Promise<unknown> {
  if (type === 'task') return tasks.find(id)
  return type === 'procedure' ? procedures.find(id) : schedules.findScheduledCommand(id)
}
