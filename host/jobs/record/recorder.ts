// Records the results of work: a job for each accepted piece of work, with a part for each client and step.
import type { ClaimLimits, Job, New, PartUpdate } from '../../../stores/store.ts'
import { type AgentOutcome, whenFinal } from '../../agents/agent-request.ts'
import type { Log } from '../../log/log.ts'
import { endOfTick } from '../../system/time-slices.ts'
import type { JobStore } from './job-store.ts'
import { endUpdate, OpenJob, type OpenJobDeps } from './open-job.ts'

interface JobRecorderDeps extends Omit<OpenJobDeps, 'update'> {
  jobStore: Pick<JobStore, 'add' | 'update' | 'updateNow'>
  log: Log
}

/** Milliseconds until updates that could not be stored are tried again. */
const retryMilliseconds = 1000

export class JobRecorder {
  readonly #deps: JobRecorderDeps
  readonly #openJobDeps: OpenJobDeps
  #updates: PartUpdate[] = []
  #writing: Promise<void> | undefined
  #isClosing = false
  /** Ends the wait for the next try. */
  #tryAgain = () => {}

  constructor(deps: JobRecorderDeps) {
    this.#deps = deps
    this.#openJobDeps = { ...deps, update: update => this.update(update) }
  }

  begin(values: Omit<New<Job>, 'created'>, created = this.#deps.clock.now()): OpenJob {
    return new OpenJob({ ...values, created }, this.#openJobDeps)
  }

  /** Stores an update soon, together with others; retries until it is stored. */
  update(update: PartUpdate): void {
    this.#updates.push(update)
    this.#writing ??= this.#write()
  }

  /** Stores an update at once. Rejects when it cannot be stored. See `JobStore`. */
  updateNow(update: PartUpdate, limits?: ClaimLimits): ReturnType<JobStore['updateNow']> {
    return this.#deps.jobStore.updateNow(update, limits)
  }

  end(job: number, index: number, outcome: AgentOutcome): void {
    whenFinal(outcome, final => this.update(endUpdate(job, index, final, this.#deps.clock.now())))
  }

  /** Resolves when all updates are stored. */
  async settle(): Promise<void> {
    while (this.#writing) await this.#writing
  }

  /** Resolves when all updates are stored, which is tried at once. Updates that cannot be stored are lost. */
  async close(): Promise<void> {
    this.#isClosing = true
    this.#tryAgain()
    while (this.#writing) await this.#writing
  }

  async #write(): Promise<void> {
    const { jobStore, log } = this.#deps
    // Parts that end in one tick share one write.
    await endOfTick()
    let isRetry = false
    while (this.#updates.length > 0) {
      const updates = this.#updates
      this.#updates = []
      try {
        await jobStore.update(updates)
        if (isRetry) log.info('jobs', `stored ${updates.length} part updates that waited for the store`)
        isRetry = false
      } catch (error) {
        const consequence = this.#isClosing ? 'lost' : 'retrying'
        // A store may be gone for hours: one line at the beginning, one at the end.
        if (!isRetry || this.#isClosing) {
          log.error('jobs', `could not store ${updates.length} part updates, ${consequence}`, error)
        }
        if (this.#isClosing) continue
        isRetry = true
        this.#updates = [...updates, ...this.#updates]
        await this.#wait()
      }
    }
    this.#writing = undefined
  }

  #wait(): Promise<void> {
    return new Promise(resolve => {
      const cancel = this.#deps.clock.after(retryMilliseconds, resolve)
      this.#tryAgain = () => {
        cancel()
        resolve()
      }
    })
  }
}
