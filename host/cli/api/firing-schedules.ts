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
  const { schedule } = (await call('POST /schedule/get')).body
  const suspended = new Set(schedule.flatMap(each => (each.suspended === 1 ? each.id : [])))
  const firing: Row[] = []
  for (const each of named) {
    const canFire =
      suspended.has(each.id) || (await call(`GET /schedule/next?id=${each.id}&count=1`)).body.next.length > 0
    if (canFire) firing.push(each)
  }
  return firing.length > 0 ? firing : schedules
}
