// Counts the parts of each job by state with every change, and knows which jobs are unfinished.
import { noParts } from '../../rules/parts.ts'
import type { PartCounts } from '../../store.ts'
import type { Index } from './indexes.ts'
import { forEachState } from './part-columns.ts'
import { jobIdOf } from './part-ids.ts'
import type { PartChunk, PartRow } from './row-types.ts'

export class PartCounter {
  /** Ids of jobs with parts in state queued or sent. */
  readonly unfinished = new Set<number>()
  readonly #jobs = new Map<number, { counts: PartCounts; total: number }>()

  readonly update: Index<PartRow | PartChunk> = (before, after) => {
    if (after) this.#add(after, 1)
    if (before) this.#add(before, -1)
  }

  countsOf(job: number): PartCounts {
    return { ...(this.#jobs.get(job)?.counts ?? noParts()) }
  }

  totalOf(job: number): number {
    return this.#jobs.get(job)?.total ?? 0
  }

  #add(row: PartRow | PartChunk, difference: 1 | -1): void {
    const id = jobIdOf(row)
    const job = this.#jobs.get(id) ?? { counts: noParts(), total: 0 }
    const { counts } = job
    forEachState(row, state => {
      counts[state] += difference
      job.total += difference
    })
    if (counts.queued + counts.sent > 0) this.unfinished.add(id)
    else this.unfinished.delete(id)
    if (job.total > 0) this.#jobs.set(id, job)
    else this.#jobs.delete(id)
  }
}
