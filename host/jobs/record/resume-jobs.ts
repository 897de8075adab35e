// Continues the jobs that an earlier process of the daemon has left in the store, in no more memory than it needed.
import type { Store } from '../../../stores/store.ts'
import type { Clock } from '../../system/clock.ts'
import type { Queue } from '../queue/queue.ts'
import type { QueuedName } from '../queue/queued-parts.ts'
import type { JobEvents } from './job-events.ts'
import type { JobRecorder } from './recorder.ts'
import type { RunningWork } from './running-work.ts'

export interface ResumeJobsDeps {
  store: { jobs: Pick<Store['jobs'], 'unfinished'> }
  recorder: Pick<JobRecorder, 'update'>
  running: RunningWork
  jobEvents: JobEvents
  queue: Pick<Queue, 'add'>
  clock: Clock
}

/** Parts that are read of the store at once. */
const partsPerRead = 10_000

/** Queued parts wait; those that were sent fail, because their replies are lost. */
export async function resumeJobs(deps: ResumeJobsDeps): Promise<void> {
  const { store, recorder, running, jobEvents, queue, clock } = deps
  const lost: QueuedName[] = []
  let after: QueuedName | undefined
  do {
    const page = await store.jobs.unfinished({ after, limit: partsPerRead })
    after = undefined
    for (const { job, parts } of page) {
      running.add(job.id, parts)
      jobEvents.resumed(job, parts)
      queue.add(job, parts)
      for (const { index, state } of parts) {
        after = { job: job.id, index }
        if (state === 'sent') lost.push(after)
      }
    }
  } while (after)
  const failed = { state: 'failure', reason: 'daemon restarted', ended: clock.now() } as const
  for (const { job, index } of lost) recorder.update({ job, index, ...failed })
}
