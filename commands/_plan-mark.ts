// Which records a planned restore has made, as its schedule says.
import type { Schedule, Services } from 'fleet-host'

/** What was made with a schedule, unless it runs something else now. */
export const planOf = ({ type, task, plan }: Schedule): Schedule['plan'] =>
  type === 'task' && task === plan?.task ? plan : undefined

/** Deletes what was made with a schedule that is gone; what something else names stays. */
export async function deleteRecords(
  { task, procedure }: NonNullable<Schedule['plan']>,
  { store }: Pick<Services, 'store'>,
): Promise<void> {
  if ((await store.tasks.delete(task)) === 'deleted') await store.procedures.delete(procedure)
}
