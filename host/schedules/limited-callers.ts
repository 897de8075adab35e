// What limited callers get of schedules.

import type { Schedule } from '../../stores/store.ts'
import { refuse } from '../contract/refusal.ts'
import type { FiringEntry, Refusal, Rights } from '../contract/services.ts'

/** An account may have lost rights since then. */
export const withinLimits = (firing: FiringEntry, { hasClient }: Rights): FiringEntry => ({
  ...firing,
  problems: firing.problems.map(group => ({ ...group, clients: group.clients.filter(hasClient) })),
})

export const unknownSchedule = (id: number, { isLimited }: Rights): Refusal =>
  isLimited
    ? refuse('expected a schedule whose computers are all in the rooms of the token', 403)
    : refuse(`id: there is no schedule ${id}`)

/** A stored command has no limits of its own: `visible` schedules tell whether it is the caller's. */
export const unknownCommand = (
  { type, task }: { type: string; task: unknown },
  visible: readonly Schedule[],
): Refusal | undefined =>
  type !== 'command' || visible.some(each => each.type === type && each.task === task)
    ? undefined
    : refuse('task: expected the command of a schedule within the limits', 403)
