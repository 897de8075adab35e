// A schedule after an update: what it keeps of the task and the procedure that were made with it, and its name.
import type { Schedule, Store } from '../../stores/store.ts'
import { kindOf } from '../contract/recurrence-words.ts'
import { movedName } from '../images/planned-restores/planned-name.ts'
import type { KeepOne } from '../store/undo-bin.ts'
import { nextFiring } from './recurrence.ts'

export function applyChange(before: Schedule, change: Partial<Schedule>, now: Date): Schedule {
  const after = { ...before, ...change }
  // What runs something else is not what was made with its task any more.
  const plan = after.type === 'task' && after.task === before.plan?.task ? before.plan : undefined
  if (!plan || after.name !== before.name || kindOf(before) !== 'once') return { ...after, plan }
  const starts = kindOf(after) === 'once' ? nextFiring(after, now) : undefined
  return { ...after, plan, name: movedName(after.name, starts) }
}

/**
 * The task and the procedure that were made with a schedule have its name, as long as nobody has given them another one.
 * False: there is no such schedule any more.
 */
export async function storeChange(
  { plan, name: former }: Schedule,
  after: Schedule,
  { tasks, procedures }: Pick<Store, 'tasks' | 'procedures'>,
  keep: KeepOne,
): Promise<boolean> {
  const { name } = after
  if (!(await keep(store => store.schedules.update(after)))) return false
  if (!plan || name === former) return true
  const [task, procedure] = [await tasks.find(plan.task), await procedures.find(plan.procedure)]
  // One whose new name is taken keeps its name.
  if (task?.name === former) await keep(store => store.tasks.update({ ...task, name }))
  if (procedure?.name === former) await keep(store => store.procedures.update({ ...procedure, name }))
  return true
}
