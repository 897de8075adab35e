// Stores jobs and changes of their parts when several hosts share the store: other hosts may change parts, too.
import type { Change, ClaimLimits, Job, New, Part, PartUpdate } from '../../../stores/store.ts'
import type { Refusal } from '../../contract/services.ts'
import type { Clock } from '../../system/clock.ts'
import { endOfTick } from '../../system/time-slices.ts'
import type { JobEvents } from '../record/job-events.ts'
import type { RunningWork } from '../record/running-work.ts'
import { type NewJobOptions, type Placement, taken, type WorkStore } from '../record/work-store.ts'
import type { JobsCluster } from './jobs-cluster.ts'

export interface SharedWorkDeps {
  cluster: JobsCluster
  running: RunningWork
  jobEvents: JobEvents
  clock: Clock
  /** The host that looks after a client's queue; undefined: this one. */
  hostOf(addr: string): string | undefined
}

/** An update that its caller waits for. */
interface PendingUpdate {
  change: Change
  resolve(result: 'lost' | 'full' | undefined): void
  reject(error: unknown): void
}

export class SharedWork implements WorkStore {
  readonly #deps: SharedWorkDeps
  #pending: PendingUpdate[] = []
  #writing: Promise<void> | undefined

  constructor(deps: SharedWorkDeps) {
    this.#deps = deps
  }

  place(): Placement {
    return { direct: new Map(), elsewhere: new Set() }
  }

  async add(job: New<Job>, parts: Part[], options: NewJobOptions): Promise<number | Refusal> {
    const { placement = this.place(), firing } = options
    const { cluster, running, jobEvents } = this.#deps
    const { direct, elsewhere } = placement
    const hosts = parts.map(({ client, state }, index) =>
      state === 'queued' ? (direct.get(index) ?? this.#deps.hostOf(client)) : undefined,
    )
    const work = { job, parts, direct: new Set(direct.keys()), hosts, ...(firing && { firing }) }
    const added = await cluster.work.add(cluster.key(), work)
    if (!added) return taken
    for (const [index, host] of hosts.entries()) if (host !== undefined) elsewhere.add(index)
    for (const index of added.unassigned) elsewhere.delete(index)
    running.add(added.id, parts)
    jobEvents.created(added.id, job, parts, elsewhere)
    await this.#skip(added.id, added.unassigned, placement, parts)
    return added.id
  }

  async update(updates: PartUpdate[]): Promise<void> {
    await this.#change(updates.map(toChange))
  }

  /** Updates of one tick, and those that come while others are being stored, share one write. */
  updateNow(update: PartUpdate, limits?: ClaimLimits): ReturnType<WorkStore['updateNow']> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ change: { ...toChange(update), ...(limits && { limits }) }, resolve, reject })
      this.#writing ??= this.#write()
    })
  }

  async #write(): Promise<void> {
    await endOfTick()
    while (this.#pending.length > 0) {
      const pending = this.#pending
      this.#pending = []
      try {
        const { applied, full } = await this.#change(pending.map(({ change }) => change))
        for (const { change, resolve } of pending) {
          const name = nameOf(change)
          resolve(applied.has(name) ? undefined : full.has(name) ? 'full' : 'lost')
        }
      } catch (error) {
        for (const { reject } of pending) reject(error)
      }
    }
    this.#writing = undefined
  }

  /** Resolves to the names of the parts that were changed, and of those that are beyond their limits. */
  async #change(changes: Change[]): Promise<{ applied: Set<string>; full: Set<string> }> {
    const { cluster, running, jobEvents } = this.#deps
    const changed = await cluster.work.change(cluster.key(), changes)
    const applied = new Set(changed.applied.map(nameOf))
    const full = new Set((changed.full ?? []).map(nameOf))
    for (const change of changes) {
      const isApplied = applied.has(nameOf(change))
      // A part that this host sent does not run here any longer, whoever has ended it.
      if (isApplied || change.from === 'sent') running.update(change)
      // Another host has it, unless this one has sent it and is storing its outcome.
      const isElsewhere = !isApplied && !full.has(nameOf(change)) && !running.has(change.job, change.index)
      if (isElsewhere) jobEvents.forget(change.job, change.index)
    }
    jobEvents.changed(changed)
    return { applied, full }
  }

  /** Parts that were to be sent at once by hosts that are gone; those that may wait are queued. */
  async #skip(job: number, unassigned: number[], { direct }: Placement, parts: Part[]): Promise<void> {
    const ended = this.#deps.clock.now()
    const changes = unassigned
      .filter(index => direct.has(index) && parts[index]?.expires === 0)
      .map((index): Change => ({ job, index, state: 'skipped', reason: 'not connected', ended, from: 'queued' }))
    if (changes.length === 0) return
    // What cannot be stored now expires in the queue at once.
    const applied = await this.#change(changes).then(
      changed => changed.applied,
      () => new Set<string>(),
    )
    for (const change of changes) {
      const part = parts[change.index]
      if (part && applied.has(nameOf(change))) part.state = 'skipped'
    }
  }
}

/** What a part is while it is changed: queued until it is sent, cancelled or expired. */
const toChange = (update: PartUpdate): Change => ({
  ...update,
  from: update.state === 'sent' || update.state === 'cancelled' || update.state === 'expired' ? 'queued' : 'sent',
})

const nameOf = ({ job, index }: PartUpdate) => `${job}:${index}`
