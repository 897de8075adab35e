// Keeps what becomes of work: a job for each accepted piece, a part for each client and step.
import type { Job, New, Part, PartUpdate, Store } from '../../stores/store.ts'
import type { AgentOutcome } from '../agents/agent-request.ts'
import type { Clock } from '../system/clock.ts'
import type { Events } from '../system/events.ts'
import type { Log } from '../system/log.ts'
import { createJobEvents, type JobEvents } from './job-events.ts'

export interface JobRecorderDeps {
  store: Pick<Store, 'jobs'>
  clock: Clock
  events: Events
  log: Log
}

type NewPart = Pick<Part, 'client' | 'step' | 'state'> & Partial<Part>

/** A job that is put together part by part; how parts end may be told before and after it is stored. */
export interface OpenJob {
  readonly parts: readonly Part[]
  /** The number of the new part. What is not given: queued now, nothing sent, nothing printed. */
  add(part: NewPart): number
  change(index: number, change: Omit<PartUpdate, 'job' | 'index'>): void
  end(index: number, ending: AgentOutcome): void
  /** Resolves with the id when the job is on disk. */
  store(): Promise<number>
}

/** Milliseconds until marks that could not be stored are tried again. */
const retryMilliseconds = 1000

export class JobRecorder {
  readonly #deps: JobRecorderDeps
  readonly #news: JobEvents
  #marks: PartUpdate[] = []
  #writing: Promise<void> | undefined
  #closing = false

  constructor(deps: JobRecorderDeps) {
    this.#deps = deps
    this.#news = createJobEvents(deps.events)
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
      end: (index, ending) => open.change(index, endUpdate(ending, clock.now())),
      store: () => {
        stored ??= this.#add({ ...job, created }, parts)
        return stored
      },
    }
    return open
  }

  /** Stores a change soon, together with others; while the disk is full it waits. */
  update(mark: PartUpdate): void {
    this.#marks.push(mark)
    this.#writing ??= this.#write()
  }

  /** Stores a change at once: resolves when it is on disk, rejects when it cannot be. */
  async updateNow(mark: PartUpdate): Promise<void> {
    await this.#deps.store.jobs.update([mark])
    this.#news.updated([mark])
  }

  /** Takes up a job that an earlier daemon has left with these unfinished parts. */
  resume(job: Job, parts: readonly (Part & { index: number })[]): void {
    this.#news.resumed(job, parts)
  }

  end(job: number, index: number, ending: AgentOutcome): void {
    this.update({ job, index, ...endUpdate(ending, this.#deps.clock.now()) })
  }

  /** Resolves when all that was marked is stored, or cannot be. */
  async close(): Promise<void> {
    this.#closing = true
    while (this.#writing) await this.#writing
  }

  async #add(job: New<Job>, parts: Part[]): Promise<number> {
    const id = await this.#deps.store.jobs.add(job, parts)
    this.#news.created(id, job, parts)
    return id
  }

  async #write(): Promise<void> {
    const { store, log, clock } = this.#deps
    // What ends in one turn shares one write.
    await new Promise(resolve => setImmediate(resolve))
    while (this.#marks.length > 0) {
      const marks = this.#marks
      this.#marks = []
      try {
        await store.jobs.update(marks)
        this.#news.updated(marks)
      } catch (error) {
        const then = this.#closing ? 'they are lost' : 'they are tried again'
        log.error('jobs', `${marks.length} outcomes could not be stored, ${then}`, error)
        if (this.#closing) continue
        this.#marks = [...marks, ...this.#marks]
        await new Promise<void>(resolve => clock.after(retryMilliseconds, resolve))
      }
    }
    this.#writing = undefined
  }
}

/** Spelt out: it is made for each of thousands of clients. */
function newPart(given: NewPart, created: number): Part {
  const { client, step, state, reason = '', queued = created, sent = 0, ended = 0, expires = 0, output = '' } = given
  return { client, step, state, reason, queued, sent, ended, expires, output }
}

const endUpdate = ({ result, reason = '', output }: AgentOutcome, ended: number) => ({
  ...{ state: result, reason, ended },
  ...(output === undefined ? {} : { output }),
})

// Whoever stores the job is told that it failed.
const ignore = () => {}
