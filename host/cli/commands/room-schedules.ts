// Which schedules are for one room alone, and so for none when it is deleted.
import type { ApiClient } from '../api/client.ts'
import { readNextTimes } from './schedule-times.ts'
import { readStored, recordWords } from './scheduled-records.ts'

/** `; only for it: schedule Updates (schedule 3)`: those that fire again; '' of what is no room. */
export async function describeSchedulesOf(api: ApiClient, kind: string, id: number): Promise<string> {
  if (kind !== 'room') return ''
  const { schedule, task } = await readStored(api)
  const words: string[] = []
  for (const row of schedule) {
    const target = row.scheduled ?? task.find(each => row.type === 'task' && each.id === row.task)
    const scope = target && 'scope' in target ? target.scope : undefined
    const isOnly = target?.where === `room_id:${id}` || (scope?.type === 'room' && scope.id === id)
    if (isOnly && (await readNextTimes(api, row.id, '1')).next.length > 0)
      words.push(recordWords({ kind: 'schedule', ...row }))
  }
  return words.length === 0 ? '' : `; only for it: ${words.join(', ')}`
}
