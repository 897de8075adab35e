// Which of several schedules with the same name is meant: those that have fired for the last time stay in the list.
import type { ApiClient } from './client.ts'

/** Of several schedules with this name those that can still fire, as far as there are any; else all. */
export async function preferFiring<Row extends { id: number; name: string }>(
  { call }: ApiClient,
  schedules: Row[],
  name: string,
): Promise<Row[]> {
  const named = schedules.filter(each => each.name === name)
  if (named.length < 2) return schedules
  const { schedules: all } = (await call('GET /schedules?next=1')).body
  const canFire = new Set(all.flatMap(({ id, suspended, next }) => (suspended === 1 || next?.length ? id : [])))
  const firing = named.filter(({ id }) => canFire.has(id))
  return firing.length > 0 ? firing : schedules
}
