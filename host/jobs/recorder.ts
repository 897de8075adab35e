// Records the results of work: a job for each accepted piece of work, with a part for each client and step.
import type { Job, New, Part, PartUpdate, Store } from '../../stores/store.ts'
import type { AgentOutcome } from '../agents/agent-request.ts'
import type { Clock } from '../system/clock.ts'
import type { Events } from '../system/events.ts'
import type { Log } from '../system/log.ts'
import { endOfTick } from '../system/time-slices.ts'
import { createJobEvents, type JobEvents } from './job-events.ts'
import type { RunningWork } from './running-work.ts'

export interface JobRecorderDeps {
  store: Pick<Store, 'jobs'>
  clock: Clock
  events: Events
  log: Log
  running: RunningWork
}

type NewPart = Pick<Part, 'client' | 'step' | 'state'> & Partial<Part>

/** A job to which parts are added one by one. Parts may end before and after the job is stored. */
export interface OpenJob {
  readonly parts: readonly Part[]
  /** Returns the number of the new part. */
  add(part: NewPart): number
  change(index: number, change: Omit<PartUpdate, 'job' | 'index'>): void
  end(index: number, outcome: AgentOutcome): void
  /** Resolves with the id when the job is on disk. */
  store(): Promise<number>
}

/** Milliseconds until updates that could not be stored are tried again. */
const retryMilliseconds = 1000

export class JobRecorder {
  readonly #deps: JobRecorderDeps
  readonly #jobEvents: JobEvents
  #updates: PartUpdate[] = []
  #writing: Promise<void> | undefined
  #isClosing = false

  constructor(deps: JobRecorderDeps) {
    this.#deps = deps
    this.#jobEvents = createJobEvents(deps)
  }

  begin(job: Omit<New<Job>, 'created'>): OpenJob {
    const { clock } = this.#deps
    const created = clock.now()
    const parts: Part[] = []
    let stored: Promise<number> | undefined
    const open: OpenJob = {
      parts,
      add: part => parts.push(newPart(part, created)) - 1,
      change: (index, change) => {
        if (stored) void stored.then(id => this.update({ job: id, index, ...change }), ignore)
        else if (parts[index]) Object.assign(parts[index], change)
      },
      end: (index, outcome) => open.change(index, endUpdate(outcome, clock.now())),
      store: () => {
        stored ??= this.#add({ ...job, created }, parts)
        return stored
      },
    }
    return open
  }

  /** Stores an update soon, together with others; retries until it is stored. */
  update(update: PartUpdate): void {
    this.#updates.push(update)
    this.#writing ??= this.#write()
  }

  /** Stores an update at once. Resolves when it is on disk, rejects when it cannot be stored. */
  async updateNow(update: PartUpdate): Promise<void> {
    await this.#deps.store.jobs.update([update])
    this.#onStored([update])
  }

  /** Continues a job of an earlier process; `parts` are those that have not ended. */
  resume(job: Job, parts: readonly (Part & { index: number })[]): void {
    this.#deps.running.add(job.id, parts)
    this.#jobEvents.resumed(job, parts)
  }

  end(job: number, index: number, outcome: AgentOutcome): void {
    this.update({ job, index, ...endUpdate(outcome, this.#deps.clock.now()) })
  }

  /** Resolves when all updates are stored. Updates that cannot be stored are lost. */
  async close(): Promise<void> {
    this.#isClosing = true
    while (this.#writing) await this.#writing
  }

  async #add(job: New<Job>, parts: Part[]): Promise<number> {
    const id = await this.#deps.store.jobs.add(job, parts)
    this.#deps.running.add(id, parts)
    this.#jobEvents.created(id, job, parts)
    return id
  }

  #onStored(updates: readonly PartUpdate[]): void {
    for (const update of updates) this.#deps.running.update(update)
    this.#jobEvents.updated(updates)
  }

  async #write(): Promise<void> {
    const { store, log, clock } = this.#deps
    // Parts that end in one tick share one write.
    await endOfTick()
    let isRetry = false
    while (this.#updates.length > 0) {
      const updates = this.#updates
      this.#updates = []
      try {
        await store.jobs.update(updates)
        this.#onStored(updates)
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
        await new Promise<void>(resolve => clock.after(retryMilliseconds, resolve))
      }
    }
    this.#writing = undefined
  }
}

/** Without spreads, because it runs for each of thousands of clients. */
function newPart(part: NewPart, created: number): Part {
  const { client, step, state, reason = '', queued = created, sent = 0, ended = 0, expires = 0, output = '' } = part
  return { client, step, state, reason, queued, sent, ended, expires, output }
}

const endUpdate = ({ result, reason = '', output }: AgentOutcome, ended: number) =>
  output === undefined ? { state: result, reason, ended } : { state: result, reason, ended, output }

// The caller of `store` gets the error.
const ignore = () => {}
