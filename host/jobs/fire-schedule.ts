// Runs what a schedule names with the present rights of who made it; without enough rights it is suspended.
import type { Firing, Schedule } from '../../stores/store.ts'
import type { Audit } from '../access/audit.ts'
import { isRefusal, refuse } from '../contract/refusal.ts'
import type { Refusal, Rights } from '../contract/services.ts'
import type { Log } from '../log/log.ts'
import type { DueFiring } from '../schedules/due-firings.ts'
import type { Clock } from '../system/clock.ts'
import type { FiringRecord } from './firings/firing-outcome.ts'
import type { FiringRecords } from './firings/firing-records.ts'
import { taken } from './record/job-store.ts'
import type { ScheduleRunner } from './service.ts'

interface FireScheduleDeps {
  runner: ScheduleRunner
  log: Log
  audit: Pick<Audit, 'add'>
  /** The present rights of who made a schedule; undefined when that account is gone, disabled or expired. */
  resolveRights(reference: string): Promise<Rights | undefined>
  suspend(id: number): Promise<void>
  /** Notes a firing without a job. False when another host has run or noted it. */
  claimFiring(firing: Firing): Promise<boolean>
  records: Pick<FiringRecords, 'add'>
  clock: Clock
}

/** Resolves to `taken`, without any effect, when another host has run the firing. */
export async function fireSchedule(
  schedule: Schedule,
  deps: FireScheduleDeps,
  firing?: DueFiring,
): Promise<'done' | 'taken'> {
  const { runner, log, audit, resolveRights, suspend, claimFiring, records, clock } = deps
  const { id, name, by } = schedule
  const rights = await resolveRights(by)
  const job = rights
    ? await runner.runSchedule(schedule, rights, firing)
    : refuse(`expected ${by}, who made it, to have access, got none`, 403)
  if (job === taken) return 'taken'
  // Before it is claimed, as what was missed is. The job of another host is recorded in the place of a refusal.
  await records.add(schedule, { time: firing?.time ?? clock.now(), ...recordOf(job) })
  if (isRefusal(job) && firing && !(await claimFiring(firing))) return 'taken'
  const outcome = isRefusal(job) ? { status: job.status } : { status: 200, job }
  const who = rights?.name ?? by
  audit.add({ who, address: '', route: `schedule ${id}`, clients: [], count: 0, ...outcome }, true)
  if (!isRefusal(job)) return 'done'
  if (job.status !== 403) {
    log.warn('schedules', `${id} ${name}: ${job.refused}`)
    return 'done'
  }
  await suspend(id)
  log.warn('schedules', `${id} ${name}: suspended, as the rights of ${by} are not sufficient: ${job.refused}`)
  return 'done'
}

function recordOf(job: number | Refusal): Pick<FiringRecord, 'job' | 'problem'> {
  if (!isRefusal(job)) return { job }
  const reason = job.status === 403 ? `suspended, as the rights are not sufficient: ${job.refused}` : job.refused
  return { problem: { state: 'refused', reason } }
}
