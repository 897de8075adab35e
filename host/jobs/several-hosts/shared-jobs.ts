// What jobs need besides when several hosts share the store: this host's part of the fleet's work.
import { setTimeout as delay } from 'node:timers/promises'
import type { EndedWork } from '../../../stores/store.ts'
import type { HostJobs } from '../one-host.ts'
import { lostDatabase } from '../queue/part-sender.ts'
import { QueueOwnership, type QueueOwnershipDeps } from '../queue/queue-ownership.ts'
import type { QueuedPart } from '../queue/queued-parts.ts'
import type { OpenJob } from '../record/open-job.ts'
import type { JobRecorder } from '../record/recorder.ts'
import { AssignedWork, type AssignedWorkDeps } from './assigned-work.ts'
import { PartAssigner } from './part-assigner.ts'

export interface SharedJobsDeps
  extends Omit<AssignedWorkDeps, 'ownership' | 'assigner' | 'recorder'>,
    Omit<QueueOwnershipDeps, 'assigner'>,
    Pick<HostJobs, 'ensureWritable'> {
  recorder: JobRecorder
}

/** Milliseconds until a cancellation that could not be stored is tried again. */
const retryMilliseconds = 5000

/** Milliseconds that the answer to a caller waits until other hosts send their parts. */
const longestWait = 300

export class SharedJobs implements HostJobs {
  readonly #deps: SharedJobsDeps
  readonly #assigner: PartAssigner
  readonly #ownership: QueueOwnership
  readonly #assigned: AssignedWork

  constructor(deps: SharedJobsDeps) {
    const { cluster, jobEvents } = deps
    this.#deps = deps
    const assigner = new PartAssigner(deps)
    const ownership = new QueueOwnership({ ...deps, assigner })
    this.#assigner = assigner
    this.#ownership = ownership
    this.#assigned = new AssignedWork({ ...deps, assigner, ownership })
    jobEvents.follow(cluster)
  }

  /** Resolves when the queues of this host are loaded. */
  async start(): Promise<void> {
    await this.#ownership.start()
    this.#assigned.start()
  }

  /** Queues the parts of a stored job; resolves when other hosts have begun to send theirs, at most a little later. */
  startJob(id: number, { job, parts, placement }: OpenJob): Promise<void> | undefined {
    const queued = [...parts.entries()].flatMap(([index, part]) =>
      part.state === 'queued' && !placement?.elsewhere.has(index) ? [{ ...part, index }] : [],
    )
    this.#ownership.place({ ...job, id }, queued)
    return placement && placement.direct.size > 0 ? this.#waitUntilClaimed(id) : undefined
  }

  /** See `PartSenderDeps`. */
  handOver(addr: string, part: QueuedPart): boolean {
    return this.#ownership.handOver(addr, part)
  }

  /** Cancels queued parts of the whole fleet, of a job only those of these clients; resolves to their number. */
  async cancel(target: { job?: number; clients?: string[] }, reason: string): Promise<number> {
    const { cluster, clock } = this.#deps
    const { job, clients = [] } = target
    const ended = await cluster.work.cancel(job === undefined ? { clients } : { ...target, job }, reason, clock.now())
    this.emitEnded(ended)
    return ended.reduce((sum, { parts }) => sum + parts.length, 0)
  }

  /** The same for clients, once more later when it cannot be stored. */
  cancelFor(clients: string[], reason: string): void {
    const { clock, log } = this.#deps
    this.cancel({ clients }, reason).catch(error => {
      log.error('jobs', `could not cancel the queued parts of ${clients.length} clients, retrying`, error)
      clock.after(retryMilliseconds, () => this.cancelFor(clients, reason))
    })
  }

  /** Emits the events of parts that the store has ended, and forgets these parts. */
  emitEnded(ended: readonly EndedWork[]): void {
    for (const each of ended) {
      const job = each.job.id
      for (const { index, client, state } of each.parts) {
        this.#deps.queue.drop(client, { job, index })
        this.#deps.running.update({ job, index, state })
      }
      this.#deps.jobEvents.ended(each)
    }
  }

  /** A write is accepted only while no other host can have removed this one. */
  async ensureWritable(): Promise<void> {
    if (!this.#deps.cluster.isMember()) throw new Error(lostDatabase)
    await this.#deps.ensureWritable()
  }

  /** Resolves when what has been taken is sent. */
  async close(): Promise<void> {
    this.#ownership.close()
    this.#assigner.close()
    await this.#assigned.close()
  }

  /** Resolves when the other hosts have begun to send their parts of a new job, or after a while. */
  async #waitUntilClaimed(job: number): Promise<void> {
    const end = performance.now() + longestWait
    for (let pause = 2; performance.now() < end; pause = Math.min(2 * pause, 50)) {
      await delay(pause)
      // The job is stored, so the caller need not know that this cannot be read.
      if ((await this.#deps.cluster.work.unclaimed(job).catch(() => 0)) === 0) return
    }
  }
}
