// What limited callers get of schedules.
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
