// Counts the parts of jobs that run now: those that clients have been sent, and those that the daemon executes itself.
import type { Part, PartUpdate } from '../../../stores/store.ts'

export class RunningParts {
  /** The numbers of the stored parts that run, by job. */
  readonly #parts = new Map<number, Set<number>>()
  #starting = 0
  #onEnded: (job: number, index: number) => void = () => {}

  /** Counts as one part until the promise has settled: what it starts is not stored before. */
  async whileStarting<Result>(work: Promise<Result>): Promise<Result> {
    this.#starting += 1
    try {
      return await work
    } finally {
      this.#starting -= 1
    }
  }

  /** The parts of a job that has been stored, or that an earlier process or another host has stored. */
  add(job: number, parts: readonly (Pick<Part, 'state'> & { index?: number })[]): void {
    const running = this.#parts.get(job) ?? new Set<number>()
    for (const [position, { state, index = position }] of parts.entries()) if (state === 'sent') running.add(index)
    if (running.size > 0) this.#parts.set(job, running)
  }

  /** To be called when the update has been stored. */
  update({ job, index, state }: PartUpdate): void {
    if (state === undefined) return
    const parts = this.#parts.get(job)
    if (state === 'sent') {
      if (parts) parts.add(index)
      else this.#parts.set(job, new Set([index]))
    } else if (parts?.delete(index)) {
      if (parts.size === 0) this.#parts.delete(job)
      this.#onEnded(job, index)
    }
  }

  has(job: number, index: number): boolean {
    return this.#parts.get(job)?.has(index) === true
  }

  /** Called when a part runs no longer. */
  onEnded(listener: (job: number, index: number) => void): void {
    this.#onEnded = listener
  }

  get count(): number {
    let count = this.#starting
    for (const parts of this.#parts.values()) count += parts.size
    return count
  }

  /** The first jobs that have running parts, with their number. */
  jobs(limit: number): { id: number; running: number }[] {
    return Array.from(this.#parts, ([id, parts]) => ({ id, running: parts.size })).slice(0, limit)
  }
}
