// Emits the events of jobs whose parts several hosts send: job-part by the host that stored the change, job-finished by the
// one that stored the last. No reader sees a part before its job, or after the end of its job.
import { noParts } from '../../../stores/rules/parts.ts'
import type { Changed, EndedWork, IndexedPart, Job, New, Part, PartCounts, PartUpdate } from '../../../stores/store.ts'
import type { Log } from '../../log/log.ts'
import type { Clock } from '../../system/clock.ts'
import type { Events, FleetEvent } from '../../system/events.ts'
import { addressesOf, isEnd, type JobSummary, logEnd, summaryOf } from '../record/job-events.ts'
import { PartClients } from '../record/part-clients.ts'
import type { JobsCluster } from './jobs-cluster.ts'

export interface SharedJobEventsDeps {
  events: Events
  feed: JobsCluster['feed']
  /** The name of this host. */
  host(): string
  clock: Clock
  log: Log
}

type PartEvent = Extract<FleetEvent, { type: 'job-part' }>
type Finished = Omit<Changed['finished'][number], 'job'>

/** A job that has not finished, as far as this host knows it. */
interface SharedJob {
  /** Of jobs that this host has parts of. */
  job?: JobSummary
  /** The parts that this host looks after. */
  parts: PartClients
  /** Whether job-created has been emitted here or has come from another host. */
  isCreated: boolean
  /** Events that wait for job-created. */
  waiting: PartEvent[]
  /** How many job-part events have been emitted here or have come from other hosts. */
  ended: number
  /** The store says that no part is unfinished. */
  finished?: Finished
}

/** Milliseconds until the events of another host are not waited for any longer: it may have died before it sent them. */
const longestWait = 1500
/** Jobs without parts of this host that are remembered: only jobs whose end got lost are more. */
const mostJobs = 20_000

export class SharedJobEvents {
  readonly #deps: SharedJobEventsDeps
  readonly #jobs = new Map<number, SharedJob>()
  readonly #unsubscribe: () => void
  readonly #timers = new Set<() => void>()

  constructor(deps: SharedJobEventsDeps) {
    this.#deps = deps
    this.#unsubscribe = deps.feed.on(
      ({ host, event }) => {
        if (host !== deps.host()) this.#onForeign(event)
      },
      ['job-created', 'job-part', 'job-finished'],
    )
  }

  /** This host has stored the job; it looks after the parts that are not `elsewhere`. */
  created(
    id: number,
    job: New<Job>,
    parts: readonly Part[],
    elsewhere: ReadonlySet<number>,
    isFinished: boolean,
  ): void {
    const { name, origin, by } = job
    const shared = this.#find(id)
    shared.job = summaryOf(job)
    shared.isCreated = true
    const addrs = addressesOf(parts)
    this.#deps.events.emit({ type: 'job-created', job: id, name, origin, by, addrs })
    for (const [index, part] of parts.entries()) {
      if (isEnd(part.state)) this.#endPart(id, shared, part, part)
      else if (!elsewhere.has(index)) shared.parts.add(index, part)
    }
    if (isFinished) this.#setFinished(id, shared, { counts: countStates(parts), clients: addrs })
  }

  /** This host looks after the part of a job in the store from now on. */
  add(job: Job, part: IndexedPart): void {
    const shared = this.#find(job.id)
    shared.job ??= summaryOf(job)
    shared.parts.add(part.index, part)
  }

  /** Another host looks after the part, or has ended it. */
  forget(id: number, index: number): void {
    this.#jobs.get(id)?.parts.take(index)
  }

  /** The store has made these changes of this host. */
  changed({ applied, finished }: { applied: readonly PartUpdate[]; finished: Changed['finished'] }): void {
    for (const { job: id, index, state, reason = '' } of applied) {
      if (!isEnd(state)) continue
      const shared = this.#jobs.get(id)
      const part = shared?.parts.take(index)
      if (!shared || !part) continue
      this.#endPart(id, shared, part, { state, reason })
    }
    for (const { job: id, ...end } of finished) this.#setFinished(id, this.#find(id), end)
  }

  /** This host has ended parts, whichever host looked after them. */
  ended({ job, parts, finished }: EndedWork): void {
    const shared = this.#find(job.id)
    shared.job ??= summaryOf(job)
    for (const part of parts) {
      shared.parts.take(part.index)
      this.#endPart(job.id, shared, part, part)
    }
    if (finished) this.#setFinished(job.id, shared, finished)
  }

  close(): void {
    this.#unsubscribe()
    for (const cancel of this.#timers) cancel()
  }

  #find(id: number): SharedJob {
    const known = this.#jobs.get(id)
    if (known) return known
    const shared: SharedJob = { parts: new PartClients(), isCreated: false, waiting: [], ended: 0 }
    if (this.#jobs.size >= mostJobs) this.#deleteOldest()
    this.#jobs.set(id, shared)
    return shared
  }

  #deleteOldest(): void {
    for (const [id, { parts, waiting }] of this.#jobs) {
      if (parts.size === 0 && waiting.length === 0) return void this.#jobs.delete(id)
    }
  }

  #endPart(
    id: number,
    shared: SharedJob,
    { client, step }: Pick<Part, 'client' | 'step'>,
    { state, reason }: Pick<Part, 'state' | 'reason'>,
  ): void {
    const command = shared.job?.commands[step] ?? ''
    shared.waiting.push({ type: 'job-part', job: id, addr: client, command, state, ...(reason && { reason }) })
    if (shared.isCreated) return this.#emitWaiting(shared)
    if (shared.waiting.length === 1) this.#after(() => this.#onCreated(id, shared))
  }

  #emitWaiting(shared: SharedJob): void {
    const events = shared.waiting
    shared.waiting = []
    shared.ended += events.length
    for (const event of events) this.#deps.events.emit(event)
  }

  #onCreated(id: number, shared: SharedJob): void {
    shared.isCreated = true
    this.#emitWaiting(shared)
    this.#finishIfDone(id, shared)
  }

  #setFinished(id: number, shared: SharedJob, finished: Finished): void {
    shared.finished = finished
    this.#finishIfDone(id, shared)
    if (this.#jobs.get(id) === shared) this.#after(() => this.#finish(id, shared))
  }

  #finishIfDone(id: number, shared: SharedJob): void {
    if (!shared.finished || shared.waiting.length > 0) return
    if (shared.ended >= sumOf(shared.finished.counts)) this.#finish(id, shared)
  }

  #finish(id: number, shared: SharedJob): void {
    const { job, finished } = shared
    if (!finished || this.#jobs.get(id) !== shared) return
    this.#emitWaiting(shared)
    this.#jobs.delete(id)
    const { clients: addrs } = finished
    const { name = '', by = '', caller } = job ?? {}
    const counts = Object.fromEntries(Object.entries(finished.counts).filter(([, count]) => count > 0))
    logEnd(id, { name, by, addrs, counts, ...(caller !== undefined && { caller }) }, this.#deps.log)
    this.#deps.events.emit({ type: 'job-finished', job: id, name, by, counts, addrs })
  }

  #onForeign(event: FleetEvent): void {
    if (event.type === 'job-created') return this.#onCreated(event.job, this.#find(event.job))
    if (event.type === 'job-part') {
      const shared = this.#find(event.job)
      shared.ended += 1
      return this.#finishIfDone(event.job, shared)
    }
    if (event.type !== 'job-finished') return
    const shared = this.#jobs.get(event.job)
    if (shared) this.#emitWaiting(shared)
    this.#jobs.delete(event.job)
  }

  #after(run: () => void): void {
    const cancel = this.#deps.clock.after(longestWait, () => {
      this.#timers.delete(cancel)
      run()
    })
    this.#timers.add(cancel)
  }
}

function countStates(parts: readonly Part[]): PartCounts {
  const counts = noParts()
  for (const { state } of parts) counts[state] += 1
  return counts
}

const sumOf = (counts: PartCounts): number => Object.values(counts).reduce((sum, count) => sum + count, 0)
