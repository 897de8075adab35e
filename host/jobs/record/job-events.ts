// Emits the events of jobs: job-created, job-part when a part has ended, job-finished. Logs the end of each job.
//
// Of several hosts the one that stored a change emits its event, and the one that stored the last change job-finished. No
// reader sees a part before its job, or after the end of its job.

import { countUnfinished, isUnfinished, noParts } from '../../../stores/rules/part-states.ts'
import { finishedEvent } from '../../../stores/rules/recorded-events.ts'
import type { Changed, EndedPart, EndedParts, FinishedJob, Job, New, Part } from '../../../stores/store.ts'
import type { Log } from '../../log/log.ts'
import { clientFields, describeClients } from '../../log/shown-text.ts'
import type { FleetEvent } from '../../system/events.ts'
import type { JobsDeps } from '../deps.ts'

/** Milliseconds until the events of another host are not waited for any longer: it may have died before it sent them. */
const longestWait = 1500
/** Jobs without parts of this host that are remembered: only jobs whose end got lost are more. */
const mostJobs = 20_000

type PartEvent = Extract<FleetEvent, { type: 'job-part' }>

interface UnfinishedJob {
  /** Of jobs that this host has or had parts of. */
  summary?: JobSummary
  /** Whether job-created has been emitted here or has come from another host. */
  isCreated: boolean
  /** Events that wait for job-created. */
  waiting: PartEvent[]
  /** How many job-part events have been emitted here or have come from other hosts. */
  ended: number
  /** No part is unfinished. */
  finished?: FinishedJob
}

/** What events and the log have of a job: no payloads, which may be long. */
interface JobSummary extends Pick<Job, 'caller'> {
  /** By step. */
  commands: string[]
}

export class JobEvents {
  readonly #deps: JobsDeps
  readonly #jobs = new Map<number, UnfinishedJob>()
  readonly #timers = new Set<() => void>()
  readonly #unsubscribe: () => void

  constructor(deps: JobsDeps) {
    this.#deps = deps
    this.#unsubscribe = deps.cluster.feed.onRemote(
      ({ event }) => this.#onRemote(event),
      ['job-created', 'job-part', 'job-finished'],
    )
  }

  /** This host has stored the job. */
  created(id: number, stored: New<Job>, parts: readonly Part[]): void {
    const { name, origin, by } = stored
    const job = this.note({ ...stored, id })
    job.isCreated = true
    const addrs = [...new Set(parts.map(({ client }) => client))]
    this.#deps.events.emit({ type: 'job-created', job: id, name, origin, by, addrs })
    this.#emitWaiting(job)
    const counts = noParts()
    for (const [index, part] of parts.entries()) {
      counts[part.state] += 1
      if (!isUnfinished(part)) this.#endPart(job, { ...part, job: id, index })
    }
    if (countUnfinished(counts) === 0) this.#setFinished(job, { job: id, name, by, counts, clients: addrs })
  }

  /** This host looks after parts of the job in the store from now on. */
  note(stored: EndedParts['job']): UnfinishedJob {
    const job = this.#find(stored.id)
    job.summary ??= summaryOf(stored)
    return job
  }

  /** The store has made changes of this host, to parts of jobs that were noted. */
  changed({ ended, finished }: Pick<Changed, 'ended' | 'finished'>): void {
    for (const part of ended) {
      const job = this.#jobs.get(part.job)
      if (job) this.#endPart(job, part)
    }
    for (const end of finished) this.#setFinished(this.#find(end.job), end)
  }

  close(): void {
    this.#unsubscribe()
    for (const cancel of this.#timers) cancel()
  }

  #find(id: number): UnfinishedJob {
    const known = this.#jobs.get(id)
    if (known) return known
    const job: UnfinishedJob = { isCreated: this.#isAlone, waiting: [], ended: 0 }
    this.#jobs.set(id, job)
    return job
  }

  /** There are no events of other hosts to wait for. */
  get #isAlone(): boolean {
    return this.#deps.cluster.members().length < 2
  }

  #endPart(job: UnfinishedJob, { job: id, client, step, state, reason }: EndedPart): void {
    const command = job.summary?.commands[step] ?? ''
    const event = { type: 'job-part', job: id, step, addr: client, command, state } as const
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

  #setFinished(job: UnfinishedJob, finished: FinishedJob): void {
    const id = finished.job
    job.finished = finished
    this.#finishIfDone(id, job)
    if (this.#jobs.get(id) === job) this.#after(() => this.#finish(id, job))
  }

  #finishIfDone(id: number, job: UnfinishedJob): void {
    if (!job.finished || job.waiting.length > 0) return
    const parts = Object.values(job.finished.counts).reduce((sum, count) => sum + count, 0)
    if (this.#isAlone || job.ended >= parts) this.#finish(id, job)
  }

  #finish(id: number, job: UnfinishedJob): void {
    const { finished, summary } = job
    if (!finished || this.#jobs.get(id) !== job) return
    this.#emitWaiting(job)
    this.#jobs.delete(id)
    const event = finishedEvent(finished)
    logEnd(event, summary?.caller, this.#deps.log)
    this.#deps.events.emit(event)
  }

  #onRemote(event: FleetEvent): void {
    if (event.type === 'job-created') return this.#onCreated(event.job, this.#findRemote(event.job))
    if (event.type === 'job-part') {
      const job = this.#findRemote(event.job)
      job.ended += 1
      return this.#finishIfDone(event.job, job)
    }
    if (event.type !== 'job-finished') return
    const job = this.#jobs.get(event.job)
    if (job) this.#emitWaiting(job)
    this.#jobs.delete(event.job)
  }

  #findRemote(id: number): UnfinishedJob {
    if (this.#jobs.size >= mostJobs && !this.#jobs.has(id)) this.#deleteOldest()
    return this.#find(id)
  }

  #deleteOldest(): void {
    for (const [id, { summary, waiting }] of this.#jobs) {
      if (!summary && waiting.length === 0) return void this.#jobs.delete(id)
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

const summaryOf = ({ caller, steps }: Pick<Job, 'caller' | 'steps'>): JobSummary => ({
  ...(caller !== undefined && { caller }),
  commands: steps.map(({ command }) => command),
})

/** One line per job: `job 5 shell-run, by token lab from 10.1.1.9: 2 success, 1 failure; 3 clients: 10.1.1.20, …`. */
function logEnd(
  { job, name, by, counts, addrs: clients }: ReturnType<typeof finishedEvent>,
  caller: string | undefined,
  log: Log,
): void {
  const results = Object.entries(counts).map(([state, count]) => `${count} ${state}`)
  const maker = [...(by === '' ? [] : [` by ${by}`]), ...(caller === undefined ? [] : [` from ${caller}`])].join('')
  const what = `job ${job} ${name}${maker && `,${maker}`}: ${results.join(', ') || 'no parts'}; ${describeClients(clients)}`
  log.info('jobs', what, { event: 'job-finished', job, command: name, by, caller, counts, ...clientFields(clients) })
}
