// What this host does of the work of all hosts: queues and sends its parts, cancels parts wherever they wait, and stops them
// wherever they run.
import { setTimeout as delay } from 'node:timers/promises'
import type { CancelTarget, EndedParts } from '../../stores/store.ts'
import type { FleetEvent } from '../system/events.ts'
import { AssignedParts } from './queue/assigned-parts.ts'
import { PartAssigner } from './queue/part-assigner.ts'
import { lostDatabase } from './queue/part-sender.ts'
import type { Queue } from './queue/queue.ts'
import type { QueueDeps } from './queue/queue-deps.ts'
import { QueueOwnership } from './queue/queue-ownership.ts'
import type { QueuedName, QueuedPart } from './queue/queued-parts.ts'
import type { OpenJob } from './record/open-job.ts'

/** Milliseconds until a cancellation that could not be stored is tried again. */
const retryMilliseconds = 5000

/** So many jobs that were cancelled last are kept in memory. */
const keptCancels = 1000

/** Milliseconds that the answer to a caller waits until other hosts send their parts. */
const longestWait = 300

export class HostJobs {
  readonly #deps: QueueDeps & { queue: Queue }
  readonly #assigner: PartAssigner
  readonly #ownership: QueueOwnership
  readonly #assigned: AssignedParts
  readonly #unsubscribe: () => void
  /** Of what each job is cancelled, and why. */
  readonly #cancels = new Map<number, { target: CancelTarget; reason: string }[]>()

  constructor(deps: QueueDeps & { queue: Queue }) {
    this.#deps = deps
    const assigner = new PartAssigner(deps)
    const ownership = new QueueOwnership(deps, assigner)
    this.#assigner = assigner
    this.#ownership = ownership
    this.#assigned = new AssignedParts(deps, assigner, ownership)
    const onEvent = (event: FleetEvent) => {
      if (event.type === 'job-stop') this.#stopLocal(event)
      if (event.type === 'job-cancel') this.#cancelLocal(event)
    }
    this.#unsubscribe = deps.events.on(onEvent, ['job-stop', 'job-cancel'])
  }

  /** Resolves when the queues of this host are loaded. */
  async start(): Promise<void> {
    await this.#failLost()
    await this.#ownership.start()
    this.#assigned.start()
  }

  /** Queues the parts of a stored job; resolves when other hosts have begun to send theirs, at most a little later. */
  startJob(id: number, { job, parts, direct, elsewhere }: OpenJob): Promise<void> | undefined {
    const stored = { ...job, id }
    this.#deps.queue.noteSent(stored, parts)
    const queued = [...parts.entries()].flatMap(([index, part]) =>
      part.state === 'queued' && !elsewhere.has(index) ? [{ ...part, index }] : [],
    )
    this.#ownership.place(stored, queued)
    return direct.size > 0 ? this.#waitUntilClaimed(id) : undefined
  }

  /** Reads again which parts wait at this host. */
  readQueues(): void {
    this.#ownership.reload()
  }

  /** See `QueueDeps`. */
  giveBack = (part: QueuedName): Promise<boolean> => this.#assigner.giveBack(part)

  /** See `QueueDeps`. */
  stopGivingBack = (part: QueuedName): boolean => this.#assigner.stopGivingBack(part)

  /** See `QueueDeps`. */
  handOver(addr: string, part: QueuedPart): boolean {
    return this.#ownership.handOver(addr, part)
  }

  /** Cancels queued parts, whichever host looks after them; resolves to their number. */
  readonly cancel = async (target: CancelTarget, reason: string): Promise<number> => {
    const count = await this.#cancelStored(target, reason)
    const { clients: only } = target
    if ('job' in target) this.#deps.events.emit({ type: 'job-cancel', job: target.job, reason, ...(only && { only }) })
    return count
  }

  async #cancelStored(target: CancelTarget, reason: string): Promise<number> {
    const { cluster, clock } = this.#deps
    const ended = await cluster.work.cancel(target, reason, clock.now())
    this.emitEnded(ended)
    return ended.reduce((sum, { parts }) => sum + parts.length, 0)
  }

  /** What waits here although it is stored as sent, because the answer of the store did not arrive, is cancelled too. */
  #cancelLocal({ job, reason, only }: FleetEvent & { type: 'job-cancel' }): void {
    const cancels = this.#cancels
    const before = only ? (cancels.get(job) ?? []) : []
    cancels.set(job, [...before, { target: { job, ...(only && { clients: only }) }, reason }].slice(-keptCancels))
    const [oldest] = cancels.keys()
    if (cancels.size > keptCancels && oldest !== undefined) cancels.delete(oldest)
    this.#deps.queue.cancel({ job, isOwn: addr => only?.includes(addr) !== false }, reason)
  }

  /** To be called when a part that was stored as sent is queued again: it may have been cancelled meanwhile. */
  async cancelAgain(job: number): Promise<void> {
    for (const { target, reason } of this.#cancels.get(job) ?? []) await this.#cancelStored(target, reason)
  }

  /** Ends the running parts of a job, or those of some clients: each host those of its own. */
  readonly stop = (job: number, by: string, only?: readonly string[]): void => {
    this.#deps.events.emit({ type: 'job-stop', job, by, ...(only && { only }) })
  }

  #stopLocal({ job, by, only }: FleetEvent & { type: 'job-stop' }): void {
    const { fleet, prepare, findFlagged } = this.#deps
    const clients = fleet.clientsOf(job).filter(addr => only?.includes(addr) !== false)
    const request = prepare.plainRequest(findFlagged('stopsJobs'), clients)
    if (request) fleet.batchWrites(() => clients.forEach(addr => void fleet.send(addr, { ...request, by })))
  }

  /** The same for clients, once more later when it cannot be stored. */
  readonly cancelFor = (clients: string[], reason: string): void => {
    const { clock, log } = this.#deps
    this.cancel({ clients }, reason).catch(error => {
      log.error('jobs', `could not cancel the queued parts of ${clients.length} clients, retrying`, error)
      clock.after(retryMilliseconds, () => this.cancelFor(clients, reason))
    })
  }

  /** Emits the events of parts that the store has ended, and forgets these parts. */
  readonly emitEnded = (ended: readonly EndedParts[]): void => {
    const { queue, running, jobEvents } = this.#deps
    for (const { job, parts, finished } of ended) {
      for (const part of parts) {
        queue.drop(part.client, part)
        running.update(part)
      }
      jobEvents.note(job)
      jobEvents.changed({ ended: parts, finished: finished ? [finished] : [] })
    }
  }

  /** A write is accepted only while no other host can have removed this one. */
  readonly ensureWritable = async (): Promise<void> => {
    if (!this.#deps.cluster.isMember()) throw new Error(lostDatabase)
    await this.#deps.ensureWritable()
  }

  /** Resolves when what has been taken is sent. */
  async close(): Promise<void> {
    this.#unsubscribe()
    this.#ownership.close()
    this.#assigner.close()
    await this.#assigned.close()
  }

  async #failLost(): Promise<void> {
    const { cluster, jobEvents, running, recorder, clock } = this.#deps
    const failure = { state: 'failure', reason: 'daemon restarted', ended: clock.now() } as const
    for (const { job, parts } of await cluster.lostParts()) {
      jobEvents.note(job)
      running.add(job.id, parts)
      for (const { index } of parts) recorder.update({ job: job.id, index, ...failure })
    }
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
