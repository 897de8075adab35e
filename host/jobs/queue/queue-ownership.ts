// Which queues this host looks after: those of its clients and, as the leader, of clients without a connection.
//
// The store decides who sends a part, so a queue in memory may be out of date without harm. A part must be in one of them:
// who has put a part into its queue while the client went to another host assigns it to that host.

import { endsQueued } from '../../../stores/rules/part-states.ts'
import type { IndexedPart, Job } from '../../../stores/store.ts'
import type { FeedEvent } from '../../cluster/cluster.ts'
import { leaderOf } from '../../cluster/leader.ts'
import { endOfTick } from '../../system/time-slices.ts'
import { PartList } from '../record/part-list.ts'
import type { PartAssigner } from './part-assigner.ts'
import type { Queue } from './queue.ts'
import type { QueueDeps } from './queue-deps.ts'
import { type QueuedName, QueuedPart, type WaitingJob } from './queued-parts.ts'

/**
 * A client's new host reads its queue after it has connected. Milliseconds after which the old host has heard of that, at
 * the latest: what it had put into its queue before, the new host has read.
 */
const handOverMilliseconds = 30_000

/** Parts that are read of the store at once. */
const partsPerRead = 10_000

export class QueueOwnership {
  readonly #deps: QueueDeps & { queue: Queue }
  readonly #assigner: PartAssigner
  readonly #unsubscribers: (() => void)[] = []
  /** Addresses to load. */
  #missing = new Set<string>()
  #isAllMissing = false
  #loading: Promise<void> | undefined
  #isClosed = false

  constructor(deps: QueueDeps & { queue: Queue }, assigner: PartAssigner) {
    this.#deps = deps
    this.#assigner = assigner
    const { cluster, events } = deps
    this.#unsubscribers.push(
      events.on(
        event => {
          // Another host may have looked after it.
          if (event.type === 'client-connected' && cluster.members().length > 1) this.#load([event.addr])
          if (event.type === 'client-gone') this.#dropForeign(event.addr)
        },
        ['client-connected', 'client-gone'],
      ),
      cluster.feed.onRemote(event => this.#onRemote(event), ['job-part', 'job-created']),
    )
    cluster.remote.onMove((addr, client) => {
      if (client) this.#dropForeign(addr)
      else if (deps.hostOf(addr) === undefined) this.#load([addr])
    })
    cluster.onMembersChange(() => this.reload())
  }

  /** Resolves when all queues are loaded. */
  async start(): Promise<void> {
    this.reload()
    await this.#loading
  }

  /** Reads all queues: the leader or this host may be another one than before, or a job was stored without an answer. */
  reload(): void {
    for (const addr of this.#deps.queue.addrs()) this.#dropForeign(addr)
    this.#isAllMissing = true
    this.#load([])
  }

  /** Queues parts that are queued in the store, here or at the host that looks after their client. */
  place(job: Job, parts: readonly IndexedPart[]): void {
    // They are in the store: the hosts that stay read them when this one has left.
    if (this.#isClosed) return
    if (parts.length === 0) return
    const { queue, jobEvents, hostOf } = this.#deps
    jobEvents.note(job)
    const added = performance.now()
    const queues = new Map<string, QueuedPart[]>()
    for (const part of parts) {
      const host = hostOf(part.client)
      if (host !== undefined) this.#assigner.assign({ job: job.id, index: part.index }, host)
      else {
        const queued = new QueuedPart(this.#jobOf(job, part), { ...part, added })
        if (!queues.get(part.client)?.push(queued)) queues.set(part.client, [queued])
      }
    }
    for (const [addr, queued] of queues) queue.append(addr, queued)
  }

  /** When another host looks after the client now, that one gets the part, and the result is true. */
  handOver(addr: string, part: QueuedPart): boolean {
    const assigner = this.#assigner
    const host = this.#deps.hostOf(addr)
    if (host === undefined) return false
    if (part.isUncertain) void assigner.giveBack(part).then(() => assigner.assign(part, host))
    else assigner.assign(part, host)
    return true
  }

  close(): void {
    this.#isClosed = true
    for (const unsubscribe of this.#unsubscribers) unsubscribe()
  }

  #onRemote({ event }: FeedEvent): void {
    const { queue } = this.#deps
    if (event.type === 'job-part') {
      queue.gate.groups.onForeignEnd(event.job, event.command)
      if (endsQueued(event.state) && queue.has(event.addr)) this.#load([event.addr])
    } else if (event.type === 'job-created') {
      // The specification: after a task all clients with queued commands are sent the command to run them.
      if (event.origin === 'task' || event.origin === 'schedule') queue.wake()
    }
  }

  /** Drops the queue of a client that another host looks after. */
  #dropForeign(addr: string): void {
    const { queue, hostOf } = this.#deps
    if (hostOf(addr) === undefined) return
    const oldest = performance.now() - handOverMilliseconds
    for (const part of queue.drop(addr)) if (part.isUncertain || part.added > oldest) this.handOver(addr, part)
  }

  #load(addrs: Iterable<string>): void {
    for (const addr of addrs) this.#missing.add(addr)
    if (this.#isClosed) return
    if (this.#missing.size > 0 || this.#isAllMissing) this.#loading ??= this.#loadAll()
  }

  /** Clients that connect in one tick, and while others are loaded, share one read. */
  async #loadAll(): Promise<void> {
    await endOfTick()
    while ((this.#missing.size > 0 || this.#isAllMissing) && !this.#isClosed) {
      const addrs = this.#isAllMissing ? 'all' : [...this.#missing]
      this.#missing = new Set()
      this.#isAllMissing = false
      const began = performance.now()
      try {
        const queues = await this.#read(addrs)
        if (!this.#isClosed) this.#replace(addrs, queues, began)
      } catch (error) {
        if (addrs === 'all') this.#isAllMissing = true
        else for (const addr of addrs) this.#missing.add(addr)
        await this.#assigner.waitAfter('could not load queued parts, retrying', error)
      }
    }
    this.#loading = undefined
  }

  /** The queues of clients that this host looks after. */
  async #read(addrs: readonly string[] | 'all'): Promise<Map<string, PartList>> {
    const { cluster, queue, jobEvents, hostOf } = this.#deps
    const queues = new Map<string, PartList>()
    let after: QueuedName | undefined
    let count = 0
    do {
      const page = await cluster.work.queued(addrs, { after, limit: partsPerRead })
      count = 0
      for (const { job, parts } of page) {
        jobEvents.note(job)
        count += parts.length
        for (const part of parts) {
          after = { job: job.id, index: part.index }
          if (!job.steps[part.step] || hostOf(part.client) !== undefined) continue
          const list = queues.get(part.client) ?? new PartList(queue.waitingJobs)
          queues.set(part.client, list)
          list.push(this.#jobOf(job, part), part)
        }
      }
    } while (count === partsPerRead)
    return queues
  }

  #replace(addrs: readonly string[] | 'all', queues: Map<string, PartList>, began: number): void {
    const { queue, hostOf } = this.#deps
    // It has got a connection elsewhere since.
    for (const [addr, list] of queues) if (hostOf(addr) !== undefined) list.take({})
    const all = addrs === 'all' ? queue.addrs() : addrs
    for (const addr of new Set([...all, ...queues.keys()])) {
      queue.replace(addr, queues.get(addr) ?? new PartList(queue.waitingJobs), began)
    }
  }

  #jobOf(job: Job, part: IndexedPart): WaitingJob {
    const { waitingJobs, gate } = this.#deps.queue
    return waitingJobs.of(job, part, () => gate.rulesOf(job))
  }
}

/** Finds the host that has a client, the leader for clients without a connection; undefined: this host. */
export const createHostOf =
  ({ cluster, fleet }: Pick<QueueDeps, 'cluster' | 'fleet'>) =>
  (addr: string): string | undefined => {
    if (fleet.hasLocal(addr)) return undefined
    const host = cluster.remote.find(addr)?.host ?? leaderOf(cluster.members())?.name
    return host === cluster.key().name ? undefined : host
  }
