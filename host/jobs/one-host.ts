// The jobs of a daemon alone, which looks after the parts of all clients; see several-hosts/ for those of a fleet.
import type { EndedWork, Store } from '../../stores/store.ts'
import type { Clock } from '../system/clock.ts'
import type { Queue } from './queue/queue.ts'
import type { QueuedName, QueuedPart } from './queue/queued-parts.ts'
import type { JobEvents } from './record/job-events.ts'
import type { StartJob } from './record/open-job.ts'
import type { JobRecorder } from './record/recorder.ts'
import type { RunningWork } from './record/running-work.ts'
import type { CancelledJob } from './service.ts'

/** What differs when several hosts share the store. */
export interface HostJobs {
  startJob: StartJob
  /** See `PartSenderDeps`. */
  handOver(addr: string, part: QueuedPart): boolean
  /** Cancels queued parts of a job; their number. */
  cancel(target: CancelledJob, reason: string): number | Promise<number>
  /** Cancels the queued parts of clients. */
  cancelFor(clients: string[], reason: string): void
  /** Emits the events of parts that the store has ended with the membership of a host. */
  emitEnded(ended: readonly EndedWork[]): void
  /** Rejects when a write is not to be accepted now. */
  ensureWritable(): Promise<void>
  /** Resolves when the queues are loaded. */
  start(): Promise<void>
  close(): Promise<void>
}

export interface OneHostDeps extends Pick<HostJobs, 'ensureWritable'> {
  store: { jobs: Pick<Store['jobs'], 'unfinished'> }
  recorder: Pick<JobRecorder, 'update'>
  running: RunningWork
  jobEvents: JobEvents
  queue: Pick<Queue, 'add' | 'cancel'>
  clock: Clock
}

export function createOneHost(deps: OneHostDeps): HostJobs {
  const { queue, ensureWritable } = deps
  return {
    startJob: (id, { job, parts }) => void queue.add({ ...job, id }, parts),
    handOver: () => false,
    cancel: (target, reason) => queue.cancel(target, reason),
    cancelFor: (clients, reason) => void queue.cancel({ clients }, reason),
    emitEnded() {},
    ensureWritable,
    start: () => resumeJobs(deps),
    async close() {},
  }
}

/** Parts that are read of the store at once. */
const partsPerRead = 10_000

/** Queued parts wait; those that were sent fail, because their replies are lost. */
async function resumeJobs(deps: OneHostDeps): Promise<void> {
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
