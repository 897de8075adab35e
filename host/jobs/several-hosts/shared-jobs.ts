// What jobs need besides when several hosts share the store: this host's part of the fleet's work.
import type { EndedWork, Store } from '../../../stores/store.ts'
import type { Fleet } from '../../agents/fleet.ts'
import type { LoadedCommand } from '../../contract/loaded-command.ts'
import { limitLog } from '../../log/limited-log.ts'
import type { Log } from '../../log/log.ts'
import type { Clock } from '../../system/clock.ts'
import type { Events } from '../../system/events.ts'
import type { Prepare } from '../prepare.ts'
import { lostDatabase } from '../queue/part-sender.ts'
import type { Queue } from '../queue/queue.ts'
import { QueueOwnership } from '../queue/queue-ownership.ts'
import type { QueuedPart } from '../queue/queued-parts.ts'
import type { JobEvents } from '../record/job-events.ts'
import type { OpenJob } from '../record/open-job.ts'
import type { JobRecorder } from '../record/recorder.ts'
import type { RunningWork } from '../record/running-work.ts'
import { AssignedWork } from './assigned-work.ts'
import type { JobsCluster } from './jobs-cluster.ts'
import { PartAssigner } from './part-assigner.ts'
import { SharedWork } from './shared-work.ts'

export interface SharedJobsDeps {
  cluster: JobsCluster
  store: Pick<Store, 'computers'>
  fleet: Pick<Fleet, 'send' | 'batchWrites' | 'hasLocal'>
  events: Events
  log: Log
  clock: Clock
  running: RunningWork
  jobEvents: JobEvents
  findCommand(name: string): LoadedCommand | undefined
}

/** Made of the work store, so later. */
interface OwnJobs {
  queue: Queue
  recorder: JobRecorder
  prepare: Prepare
  /** Why nothing is sent at once now, if so. */
  whyHeld(): string | undefined
}

/** Milliseconds until a cancellation that could not be stored is tried again. */
const retryMilliseconds = 5000

export class SharedJobs {
  readonly work: SharedWork
  readonly #deps: SharedJobsDeps
  #own: { queue: Queue; assigner: PartAssigner; ownership: QueueOwnership; assigned: AssignedWork } | undefined

  constructor(deps: SharedJobsDeps) {
    this.#deps = deps
    deps.jobEvents.follow(deps.cluster)
    this.work = new SharedWork({ ...deps, hostOf: addr => this.#hostOf(addr) })
  }

  connect({ queue, recorder, prepare, whyHeld }: OwnJobs): void {
    const deps = {
      ...this.#deps,
      queue,
      recorder,
      prepare,
      whyHeld,
      limitedLog: limitLog(this.#deps.log),
      hostOf: (addr: string) => this.#hostOf(addr),
    }
    const assigner = new PartAssigner(deps)
    const ownership = new QueueOwnership({ ...deps, assigner })
    this.#own = { queue, assigner, ownership, assigned: new AssignedWork({ ...deps, assigner, ownership }) }
  }

  /** Resolves when the queues of this host are loaded. */
  async start(): Promise<void> {
    await this.#own?.ownership.start()
    this.#own?.assigned.start()
  }

  /** Queues the parts of a stored job; resolves when other hosts have begun to send theirs, at most a little later. */
  startJob(id: number, { job, parts, placement }: OpenJob): Promise<void> | undefined {
    const queued = [...parts.entries()].flatMap(([index, part]) =>
      part.state === 'queued' && !placement?.elsewhere.has(index) ? [{ ...part, index }] : [],
    )
    this.#own?.ownership.place({ ...job, id }, queued)
    return placement && placement.direct.size > 0 ? this.work.waitUntilClaimed(id) : undefined
  }

  /** See `PartSenderDeps`. */
  handOver(addr: string, part: QueuedPart): boolean {
    return this.#own?.ownership.handOver(addr, part) ?? false
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
        this.#own?.queue.drop(client, { job, index })
        this.#deps.running.update({ job, index, state })
      }
      this.#deps.jobEvents.ended(each)
    }
  }

  /** A write is accepted only while no other host can have removed this one. */
  async ensureWritable(ensureStore: () => Promise<void>): Promise<void> {
    if (!this.#deps.cluster.isMember()) throw new Error(lostDatabase)
    await ensureStore()
  }

  /** Resolves when what has been taken is sent. */
  async close(): Promise<void> {
    this.#own?.ownership.close()
    this.#own?.assigner.close()
    await this.#own?.assigned.close()
  }

  /** The host that has the client, the leader for clients without a connection; undefined: this host. */
  #hostOf(addr: string): string | undefined {
    const { cluster, fleet } = this.#deps
    if (fleet.hasLocal(addr)) return undefined
    const host = cluster.remote.find(addr)?.host ?? cluster.members()[0]?.name
    return host === cluster.key().name ? undefined : host
  }
}
