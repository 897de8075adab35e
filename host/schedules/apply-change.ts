// A schedule after an update: what it keeps of the task and the procedure that were made with it, and its name.
import type { Schedule } from '../../stores/store.ts'
import { kindOf } from '../contract/recurrence-words.ts'
import { movedName } from '../images/planned-restores/planned-name.ts'
import { nextFiring } from './recurrence.ts'

export function applyChange(before: Schedule, change: Partial<Schedule>, now: Date): Schedule {
  const after = { ...before, ...change }
  // What runs something else is not what was made with its task any more.
  const plan = after.type === 'task' && after.task === before.plan?.task ? before.plan : undefined
  if (!plan || after.name !== before.name || kindOf(before) !== 'once') return { ...after, plan }
  const starts = kindOf(after) === 'once' ? nextFiring(after, now) : undefined
  return { ...after, plan, name: movedName(after.name, starts) }
}
