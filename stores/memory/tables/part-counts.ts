// How many parts of each job are in which state, and which jobs are unfinished, kept with every change.
import type { PartCounts } from '../../store.ts'
import { jobOf } from '../parts.ts'
import { visitStates } from './part-columns.ts'
import type { OwnPart, Pack } from './row-types.ts'
import type { Index } from './table.ts'

const none = (): PartCounts => ({
  queued: 0,
  sent: 0,
  success: 0,
  failure: 0,
  skipped: 0,
  expired: 0,
  cancelled: 0,
})

export class Tally {
  /** Jobs with parts in state queued or sent. */
  readonly unfinished = new Set<number>()
  readonly #jobs = new Map<number, { counts: PartCounts; total: number }>()

  readonly follow: Index<OwnPart | Pack> = (before, after) => {
    if (after) this.#step(after, 1)
    if (before) this.#step(before, -1)
  }

  of(job: number): PartCounts {
    return { ...(this.#jobs.get(job)?.counts ?? none()) }
  }

  total(job: number): number {
    return this.#jobs.get(job)?.total ?? 0
  }

  #step(row: OwnPart | Pack, by: 1 | -1): void {
    const job = jobOf(row)
    const known = this.#jobs.get(job) ?? { counts: none(), total: 0 }
    const { counts } = known
    visitStates(row, state => {
      counts[state] += by
      known.total += by
    })
    if (counts.queued + counts.sent > 0) this.unfinished.add(job)
    else this.unfinished.delete(job)
    if (known.total > 0) this.#jobs.set(job, known)
    else this.#jobs.delete(job)
  }
}
