// Deletes old jobs every hour, and sooner when many new jobs come.
import type { JobsDeps } from '../deps.ts'

const intervalMilliseconds = 3_600_000
const jobsBetweenTrims = 100
const dayMilliseconds = 86_400_000

export class JobTrimmer {
  readonly #deps: JobsDeps
  #unsubscribe = () => {}
  #timer: NodeJS.Timeout | undefined
  #created = 0

  constructor(deps: JobsDeps) {
    this.#deps = deps
  }

  /** Resolves when the first trim has ended. */
  async start(): Promise<void> {
    this.#unsubscribe = this.#deps.cluster.feed.on(() => this.#countJob(), ['job-created'])
    await this.#trim()
    this.#timer = setInterval(() => void this.#trim(), intervalMilliseconds).unref()
  }

  close(): void {
    clearInterval(this.#timer)
    this.#unsubscribe()
  }

  #countJob(): void {
    this.#created += 1
    if (this.#created % jobsBetweenTrims === 0) void this.#trim()
  }

  async #trim(): Promise<void> {
    const { store, clock, limits, log, cluster } = this.#deps
    if (!cluster.isLeader()) return
    const before = clock.now() - limits.jobs_days * dayMilliseconds
    await store.jobs
      .trim({ before, keep: limits.jobs_count })
      .catch(error => log.error('jobs', 'could not delete old jobs', error))
  }
}
