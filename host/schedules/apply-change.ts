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
  if (!(await keep(store => store.schedules.update(after)))) return false
  if (!plan || after.name === former) return true
  const [task, procedure] = [await tasks.find(plan.task), await procedures.find(plan.procedure)]
  if (task && isNamed(task, former))
    await rename(after.name, name => keep(store => store.tasks.update({ ...task, name })))
  if (procedure && isNamed(procedure, former))
    await rename(after.name, name => keep(store => store.procedures.update({ ...procedure, name })))
  return true
}

/** Names are unique in a center: it may be `<former> (2)`. */
const isNamed = ({ name }: { name: string }, former: string) =>
  name === former || (name.startsWith(former) && /^ \(\d+\)$/.test(name.slice(former.length)))

async function rename(base: string, update: (name: string) => Promise<string>): Promise<void> {
  let name = base
  for (let number = 2; (await update(name)) === 'name taken'; number += 1) name = `${base} (${number})`
}
