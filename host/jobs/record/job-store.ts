// Stores jobs and changes of their parts, which other hosts may change too.

import { stateTable } from '../../../stores/rules/part-states.ts'
import type { Change, ClaimLimits, Firing, PartUpdate } from '../../../stores/store.ts'
import { refuse } from '../../contract/refusal.ts'
import type { Refusal } from '../../contract/services.ts'
import { endOfTick } from '../../system/time-slices.ts'
import type { JobsDeps } from '../deps.ts'
import type { JobEvents } from './job-events.ts'
import type { OpenJob } from './open-job.ts'
import type { RunningParts } from './running-parts.ts'

interface JobStoreDeps extends JobsDeps {
  running: RunningParts
  jobEvents: JobEvents
  hostOf(addr: string): string | undefined
  /** Cancels what is queued of a job that has been cancelled. */
  cancelAgain(job: number): Promise<void>
}

/** Another host has run the firing of a schedule. */
export const taken = refuse('run by another host')

/** An update that its caller waits for. */
interface PendingUpdate {
  change: Change
  resolve(result: 'lost' | 'full' | undefined): void
  reject(error: unknown): void
}

export class JobStore {
  readonly #deps: JobStoreDeps
  #pending: PendingUpdate[] = []
  #writing: Promise<void> | undefined

  constructor(deps: JobStoreDeps) {
    this.#deps = deps
  }

  /** Resolves to the id when the job is on disk. With `firing` to `taken`, without any effect, when another host has run it. */
  async add(open: OpenJob, firing: Firing | undefined): Promise<number | Refusal> {
    const { job, parts, direct, elsewhere } = open
    const { cluster, running, jobEvents, hostOf } = this.#deps
    const hosts = parts.map(({ client, state }, index) =>
      state === 'queued' ? (direct.get(index) ?? hostOf(client)) : undefined,
    )
    const work = { job, parts, direct: new Set(direct.keys()), hosts, ...(firing && { firing }) }
    const added = await cluster.work.add(cluster.key(), work)
    if (!added) return taken
    const { id, unassigned } = added
    for (const [index, host] of hosts.entries()) if (host !== undefined) elsewhere.add(index)
    for (const index of unassigned) elsewhere.delete(index)
    running.add(id, parts)
    jobEvents.created(id, job, parts)
    await this.#skip(id, unassigned, open)
    return id
  }

  /** Resolves when the updates are on disk. Those of parts that another host has changed since have no effect. */
  async update(updates: Change[]): Promise<void> {
    for (const update of updates) update.from = stateBefore(update)
    await this.#change(updates)
  }

  /**
   * The same for one part; updates of one tick, and those that come while others are being stored, share one write. `lost`:
   * another host has changed it. `full`: it would be one too many of those that `limits` are for.
   */
  async updateNow(update: PartUpdate, limits?: ClaimLimits): Promise<'lost' | 'full' | undefined> {
    const result = await new Promise<'lost' | 'full' | undefined>((resolve, reject) => {
      this.#pending.push({
        change: { ...update, from: stateBefore(update), ...(limits && { limits }) },
        resolve,
        reject,
      })
      this.#writing ??= this.#write()
    })
    if (update.state === 'queued') await this.#deps.cancelAgain(update.job)
    return result
  }

  async #write(): Promise<void> {
    await endOfTick()
    while (this.#pending.length > 0) {
      const pending = this.#pending
      this.#pending = []
      try {
        const { isApplied, full } = await this.#change(pending.map(({ change }) => change))
        for (const { change, resolve } of pending) {
          resolve(isApplied(change) ? undefined : full?.includes(change) ? 'full' : 'lost')
        }
      } catch (error) {
        for (const { reject } of pending) reject(error)
      }
    }
    this.#writing = undefined
  }

  async #change(changes: Change[]): Promise<{ isApplied(change: Change): boolean; full: Change[] | undefined }> {
    const { cluster, running, jobEvents } = this.#deps
    const changed = await cluster.work.change(cluster.key(), changes)
    // A set only where some are not, because thousands of parts end at once.
    const applied = changed.applied.length < changes.length ? new Set(changed.applied) : undefined
    const isApplied = (change: Change) => applied?.has(change) ?? true
    // A part that this host sent does not run here any longer, whoever has ended it.
    for (const change of changes) if (change.from === 'sent' || isApplied(change)) running.update(change)
    jobEvents.changed(changed)
    return { isApplied, full: changed.full }
  }

  /** Parts that were to be sent at once by hosts that are gone; those that may wait are queued. */
  async #skip(job: number, unassigned: number[], { direct, parts }: OpenJob): Promise<void> {
    const ended = this.#deps.clock.now()
    const changes = unassigned
      .filter(index => direct.has(index) && parts[index]?.expires === 0)
      .map((index): Change => ({ job, index, state: 'skipped', reason: 'not connected', ended, from: 'queued' }))
    if (changes.length === 0) return
    // What cannot be stored now expires in the queue at once.
    const { isApplied } = await this.#change(changes).catch(() => ({ isApplied: () => false }))
    for (const change of changes) {
      const part = parts[change.index]
      if (part && isApplied(change)) part.state = 'skipped'
    }
  }
}

/** What a part is while it is changed: queued until it is sent, cancelled or expired. */
const stateBefore = ({ state }: PartUpdate) =>
  (state && stateTable[state].ends) ?? (state === 'sent' ? 'queued' : 'sent')
