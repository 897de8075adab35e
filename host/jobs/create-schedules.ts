// Connects schedules with the jobs that they start.
import type { Firing, Schedule, Store } from '../../stores/store.ts'
import type { Audit } from '../access/audit.ts'
import type { JobsCluster } from '../cluster/cluster.ts'
import type { Rights } from '../contract/services.ts'
import type { Log } from '../log/log.ts'
import type { DueFiring } from '../schedules/due-firings.ts'
import { Scheduler } from '../schedules/scheduler.ts'
import { Schedules } from '../schedules/service.ts'
import type { Keep } from '../store/undo-bin.ts'
import type { Clock } from '../system/clock.ts'
import type { Events } from '../system/events.ts'
import { fireSchedule } from './fire-schedule.ts'
import { FiringRecords } from './firings/firing-records.ts'
import type { Jobs } from './jobs.ts'

interface SchedulesDeps {
  store: Store
  keep: Keep
  clock: Clock
  log: Log
  events: Events
  audit: Audit
  resolveRights(reference: string): Promise<Rights | undefined>
}

/** The scheduler runs what is due as jobs. */
export function createSchedules(
  deps: SchedulesDeps,
  cluster: JobsCluster,
  { service, resolveRuns, findMissing, drain, readQueues }: Jobs,
) {
  const { store, clock, keep } = deps
  const suspend = (id: number) => schedules.suspend(id)
  const claimFiring = (firing: Firing) => cluster.work.claimFiring(firing)
  const firings = new FiringRecords({ ...deps, cluster })
  const fireDeps = { ...deps, runner: service, suspend, claimFiring, records: firings }
  const run = (schedule: Schedule, attempt?: DueFiring) => fireSchedule(schedule, fireDeps, attempt)
  const scheduler = new Scheduler({
    ...deps,
    cluster,
    run,
    onTaken: (schedule, time) => firings.expect(schedule, time),
    readQueues,
    isDraining: () => drain.state().draining,
    onMissed: (schedule, time, reason) => firings.add(schedule, { time, problem: { state: 'missed', reason } }),
  })
  const schedules = new Schedules({
    store,
    keep,
    clock,
    scheduler,
    firings,
    isInside: resolveRuns.isInside,
    resolveTarget: resolveRuns.target,
    checkCommand: resolveRuns.checkCommand,
    findMissing,
  })
  return {
    schedules,
    scheduler: {
      register: (schedule: Schedule) => scheduler.register(schedule),
      async start() {
        await firings.start()
        await scheduler.start()
      },
      close() {
        scheduler.close()
        firings.close()
      },
    },
  }
}
