// Which schedules will fail, as something that they name is not there any more.
import type { Store } from '../../stores/store.ts'
import type { DoctorFinding, SchedulesService } from '../contract/services.ts'
import { fine, warning } from './finding.ts'

export interface ScheduleDeps {
  store: Pick<Store, 'schedules'>
  schedules: Pick<SchedulesService, 'missing'>
}

export async function checkSchedules({ store, schedules }: ScheduleDeps): Promise<DoctorFinding[]> {
  const active = (await store.schedules.list()).filter(({ suspended }) => suspended === 0)
  const missing = await schedules.missing(active)
  if (missing.size === 0) return [fine('schedules', 'what they run is there')]
  return active.flatMap(({ id, name }) => {
    const words = missing.get(id)
    const advice = `fleet undo brings back what was deleted; fleet schedule show ${id} shows it, and delete ends it`
    return words ? warning('schedules', `${name} (schedule ${id}) will fail: ${words.join(', ')} gone`, advice) : []
  })
}
