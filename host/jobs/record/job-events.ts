// Emits the events of jobs: job-created, job-part when a part has ended, job-finished. Logs the end of each job.
//
// Of several hosts the one that stored a change emits its event, and the one that stored the last change job-finished. No
// reader sees a part before its job, or after the end of its job.
import { isUnfinished } from '../../../stores/rules/parts.ts'
import type { Changed, EndedWork, IndexedPart, Job, New, Part, PartUpdate } from '../../../stores/store.ts'
import type { Log } from '../../log/log.ts'
import type { Clock } from '../../system/clock.ts'
import type { Events, FleetEvent } from '../../system/events.ts'
import type { JobsCluster } from '../several-hosts/jobs-cluster.ts'
import { type Finished, logEnd, newJob, type PartEvent, summaryOf, type UnfinishedJob } from './unfinished-job.ts'

export interface JobEventsDeps {
  events: Events
  clock: Clock
  log: Log
}

/** Milliseconds until the events of another host are not waited for any longer: it may have died before it sent them. */
const longestWait = 1500
/** Jobs without parts of this host that are remembered: only jobs whose end got lost are more. */
const mostJobs = 20_000

export class JobEvents {
  readonly #deps: JobEventsDeps
  readonly #jobs = new Map<number, UnfinishedJob>()
  readonly #timers = new Set<() => void>()
  #unsubscribe = () => {}

  constructor(deps: JobEventsDeps) {
    this.#deps = deps
  }

  /** With several hosts: notes what the others emit. */
  follow({ feed, key }: Pick<JobsCluster, 'feed' | 'key'>): void {
    this.#unsubscribe = feed.on(
      ({ host, event }) => {
        if (host !== key().name) this.#onForeign(event)
      },
      ['job-created', 'job-part', 'job-finished'],
    )
  }

  /** This host has stored the job; it looks after the parts that are not `elsewhere`. */
  created(id: number, stored: New<Job>, parts: readonly Part[], elsewhere?: ReadonlySet<number>): void {
    const { name, origin, by } = stored
    const job = this.#find(id)
    job.summary = summaryOf(stored)
    job.isCreated = true
    for (const [index, part] of parts.entries()) if (!elsewhere?.has(index)) job.parts.add(index, part)
    const addrs = [...new Set(parts.map(({ client }) => client))]
    this.#deps.events.emit({ type: 'job-created', job: id, name, origin, by, addrs })
    this.#emitWaiting(job)
    for (const [index, part] of parts.entries()) if (!isUnfinished(part)) this.#endOwn(id, job, index, part)
    if (!elsewhere?.size) this.#finishIfLast(id, job)
  }

  /** Continues a job of an earlier process; `parts` are some of those that have not ended. */
  resumed(job: Job, parts: readonly IndexedPart[]): void {
    for (const part of parts) this.add(job, part)
    this.#find(job.id).isCreated = true
  }

  /** This host looks after the part of a job in the store from now on. */
  add(stored: Job, part: IndexedPart): void {
    const job = this.#find(stored.id)
    job.summary ??= summaryOf(stored)
    job.parts.add(part.index, part)
  }

  /** Another host looks after the part, or has ended it. */
  forget(id: number, index: number): void {
    this.#jobs.get(id)?.parts.take(index)
  }

  /** The store has made these changes of this host. Without `finished` no other host has parts of these jobs. */
  changed({ applied, finished }: { applied: readonly PartUpdate[]; finished?: Changed['finished'] }): void {
    for (const { job: id, index, state, reason = '' } of applied) {
      const job = this.#jobs.get(id)
      if (!job || state === undefined || isUnfinished({ state })) continue
      this.#endOwn(id, job, index, { state, reason })
      if (!finished) this.#finishIfLast(id, job)
    }
    for (const { job: id, ...end } of finished ?? []) this.#setFinished(id, this.#find(id), end)
  }

  /** This host has ended parts, whichever host looked after them. */
  ended({ job: stored, parts, finished }: EndedWork): void {
    const job = this.#find(stored.id)
    job.summary ??= summaryOf(stored)
    for (const part of parts) {
      job.parts.take(part.index)
      this.#endPart(stored.id, job, part, part)
    }
    if (finished) this.#setFinished(stored.id, job, finished)
  }

  close(): void {
    this.#unsubscribe()
    for (const cancel of this.#timers) cancel()
  }

  #find(id: number): UnfinishedJob {
    const known = this.#jobs.get(id)
    if (known) return known
    const job = newJob()
    this.#jobs.set(id, job)
    return job
  }

  #endOwn(id: number, job: UnfinishedJob, index: number, end: Pick<Part, 'state' | 'reason'>): void {
    const part = job.parts.take(index)
    if (part) this.#endPart(id, job, part, end)
  }

  #endPart(
    id: number,
    job: UnfinishedJob,
    { client, step }: Pick<Part, 'client' | 'step'>,
    { state, reason }: Pick<Part, 'state' | 'reason'>,
  ): void {
    job.counts[state] = (job.counts[state] ?? 0) + 1
    const command = job.summary?.commands[step] ?? ''
    const event = { type: 'job-part', job: id, addr: client, command, state } as const
    // Without a spread where there is none, because thousands of parts end at once.
    const complete: PartEvent = reason ? { ...event, reason } : event
    if (job.isCreated) return this.#emit(job, complete)
    job.waiting.push(complete)
    if (job.waiting.length === 1) this.#after(() => this.#onCreated(id, job))
  }

  #emit(job: UnfinishedJob, event: PartEvent): void {
    job.ended += 1
    this.#deps.events.emit(event)
  }

  #emitWaiting(job: UnfinishedJob): void {
    for (const event of job.waiting.splice(0)) this.#emit(job, event)
  }

  #onCreated(id: number, job: UnfinishedJob): void {
    job.isCreated = true
    this.#emitWaiting(job)
    this.#finishIfDone(id, job)
  }

  /** Of a job whose parts are all looked after by this host. */
  #finishIfLast(id: number, job: UnfinishedJob): void {
    const { parts, counts } = job
    if (parts.size === 0) this.#setFinished(id, job, { counts, clients: parts.addrs() })
  }

  #setFinished(id: number, job: UnfinishedJob, finished: Finished): void {
    job.finished = finished
    this.#finishIfDone(id, job)
    if (this.#jobs.get(id) === job) this.#after(() => this.#finish(id, job))
  }

  #finishIfDone(id: number, job: UnfinishedJob): void {
    if (!job.finished || job.waiting.length > 0) return
    const parts = Object.values(job.finished.counts).reduce((sum, count) => sum + count, 0)
    if (job.ended >= parts) this.#finish(id, job)
  }

  #finish(id: number, job: UnfinishedJob): void {
    const { finished, summary = { name: '', by: '', commands: [] } } = job
    if (!finished || this.#jobs.get(id) !== job) return
    this.#emitWaiting(job)
    this.#jobs.delete(id)
    const { name, by } = summary
    const { clients } = finished
    const counts = Object.fromEntries(Object.entries(finished.counts).filter(([, count]) => count > 0))
    logEnd(id, summary, { counts, clients }, this.#deps.log)
    this.#deps.events.emit({ type: 'job-finished', job: id, name, by, counts, addrs: clients })
  }

  #onForeign(event: FleetEvent): void {
    if (event.type === 'job-created') return this.#onCreated(event.job, this.#findForeign(event.job))
    if (event.type === 'job-part') {
      const job = this.#findForeign(event.job)
      job.ended += 1
      return this.#finishIfDone(event.job, job)
    }
    if (event.type !== 'job-finished') return
    const job = this.#jobs.get(event.job)
    if (job) this.#emitWaiting(job)
    this.#jobs.delete(event.job)
  }

  #findForeign(id: number): UnfinishedJob {
    if (this.#jobs.size >= mostJobs && !this.#jobs.has(id)) this.#deleteOldest()
    return this.#find(id)
  }

  #deleteOldest(): void {
    for (const [id, { parts, waiting }] of this.#jobs) {
      if (parts.size === 0 && waiting.length === 0) return void this.#jobs.delete(id)
    }
  }

  #after(run: () => void): void {
    const cancel = this.#deps.clock.after(longestWait, () => {
      this.#timers.delete(cancel)
      run()
    })
    this.#timers.add(cancel)
  }
}
