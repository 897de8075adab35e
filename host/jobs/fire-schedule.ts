// Runs what a schedule names with the present rights of who made it; without enough rights it is suspended.
import type { Schedule } from '../../stores/store.ts'
import type { Audit } from '../access/audit.ts'
import { isRefusal, refuse } from '../refusal.ts'
import type { Rights } from '../services.ts'
import type { Log } from '../system/log.ts'
import type { ScheduleRunner } from './service.ts'

export interface FireScheduleDeps {
  runner: ScheduleRunner
  log: Log
  audit: Pick<Audit, 'add'>
  /** The present rights of who made a schedule; undefined when that account is gone, disabled or expired. */
  resolveRights(reference: string): Promise<Rights | undefined>
  suspend(id: number): Promise<void>
}

export async function fireSchedule(
  schedule: Schedule,
  { runner, log, audit, resolveRights, suspend }: FireScheduleDeps,
): Promise<void> {
  const { id, name, by } = schedule
  const rights = await resolveRights(by)
  const job = rights
    ? await runner.runSchedule(schedule, rights)
    : refuse(`expected ${by}, who made it, to have access, got none`, 403)
  const outcome = isRefusal(job) ? { status: job.status } : { status: 200, job }
  const who = rights?.name ?? by
  audit.add({ who, address: '', route: `schedule ${id}`, clients: [], count: 0, ...outcome }, true)
  if (!isRefusal(job)) return
  if (job.status !== 403) return log.warn('schedules', `${id} ${name}: ${job.refused}`)
  await suspend(id)
  log.warn('schedules', `${id} ${name}: suspended, as the rights of ${by} are not sufficient: ${job.refused}`)
}
