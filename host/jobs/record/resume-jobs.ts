// Continues the jobs that an earlier process of the daemon has left in the store, in no more memory than it needed.
import type { IndexedPart, Job, Store } from '../../../stores/store.ts'
import type { Clock } from '../../system/clock.ts'
import type { QueuedName } from '../queue/queued-parts.ts'
import type { JobRecorder } from './recorder.ts'

export interface ResumeJobsDeps {
  store: { jobs: Pick<Store['jobs'], 'unfinished'> }
  recorder: Pick<JobRecorder, 'resume' | 'update'>
  clock: Clock
}

/** Parts that are read of the store at once. */
const partsPerRead = 10_000

/** Calls `queue` with the parts that have not ended; those that were sent fail, because their replies are lost. */
export async function resumeJobs(
  { store, recorder, clock }: ResumeJobsDeps,
  queue: (job: Job, parts: readonly IndexedPart[]) => void,
): Promise<void> {
  const lost: QueuedName[] = []
  let after: QueuedName | undefined
  do {
    const page = await store.jobs.unfinished({ after, limit: partsPerRead })
    after = undefined
    for (const { job, parts } of page) {
      recorder.resume(job, parts)
      queue(job, parts)
      for (const { index, state } of parts) {
        after = { job: job.id, index }
        if (state === 'sent') lost.push(after)
      }
    }
  } while (after)
  const failed = { state: 'failure', reason: 'daemon restarted', ended: clock.now() } as const
  for (const { job, index } of lost) recorder.update({ job, index, ...failed })
}
