// Keeps what becomes of work: a job for each accepted piece, a part for each client and step.
import type { Job, Mark, New, Part, Store } from '../../stores/store.ts'
import type { Ending } from '../agents/agent-request.ts'
import type { Clock } from '../system/clock.ts'
import type { Events } from '../system/events.ts'
import type { Log } from '../system/log.ts'
import { createJobNews, type JobNews } from './job-events.ts'

export interface JobsParts {
  store: Pick<Store, 'jobs'>
  clock: Clock
  events: Events
  log: Log
}

type Given = Pick<Part, 'client' | 'step' | 'state'> & Partial<Part>

/** A job that is put together part by part; how parts end may be told before and after it is stored. */
export interface OpenJob {
  readonly parts: readonly Part[]
  /** The number of the new part. What is not given: queued now, nothing sent, nothing printed. */
  add(part: Given): number
  change(index: number, change: Omit<Mark, 'job' | 'index'>): void
  end(index: number, ending: Ending): void
  /** Resolves with the id when the job is on disk. */
  store(): Promise<number>
}

/** Milliseconds until marks that could not be stored are tried again. */
const retryMilliseconds = 1000

export class Jobs {
  readonly #given: JobsParts
  readonly #news: JobNews
  #marks: Mark[] = []
  #writing: Promise<void> | undefined
  #closing = false

  constructor(given: JobsParts) {
    this.#given = given
    this.#news = createJobNews(given.events)
  }

  begin(job: Omit<New<Job>, 'created'>): OpenJob {
    const { clock } = this.#given
    const created = clock.now()
    const parts: Part[] = []
    let stored: Promise<number> | undefined
    const open: OpenJob = {
      parts,
      add: part => parts.push(newPart(part, created)) - 1,
      change: (index, change) => {
        if (stored) void stored.then(id => this.mark({ job: id, index, ...change }), ignore)
        else if (parts[index]) Object.assign(parts[index], change)
      },
      end: (index, ending) => open.change(index, endMark(ending, clock.now())),
      store: () => {
        stored ??= this.#add({ ...job, created }, parts)
        return stored
      },
    }
    return open
  }

  /** Stores a change soon, together with others; while the disk is full it waits. */
  mark(mark: Mark): void {
    this.#marks.push(mark)
    this.#writing ??= this.#write()
  }

  /** Stores a change at once: resolves when it is on disk, rejects when it cannot be. */
  async markNow(mark: Mark): Promise<void> {
    await this.#given.store.jobs.mark([mark])
    this.#news.marked([mark])
  }

  /** Takes up a job that an earlier daemon has left with these unfinished parts. */
  resume(job: Job, parts: readonly (Part & { index: number })[]): void {
    this.#news.resumed(job, parts)
  }

  end(job: number, index: number, ending: Ending): void {
    this.mark({ job, index, ...endMark(ending, this.#given.clock.now()) })
  }

  /** Resolves when all that was marked is stored, or cannot be. */
  async close(): Promise<void> {
    this.#closing = true
    while (this.#writing) await this.#writing
  }

  async #add(job: New<Job>, parts: Part[]): Promise<number> {
    const id = await this.#given.store.jobs.add(job, parts)
    this.#news.created(id, job, parts)
    return id
  }

  async #write(): Promise<void> {
    const { store, log, clock } = this.#given
    // What ends in one turn shares one write.
    await new Promise(resolve => setImmediate(resolve))
    while (this.#marks.length > 0) {
      const marks = this.#marks
      this.#marks = []
      try {
        await store.jobs.mark(marks)
        this.#news.marked(marks)
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
function newPart(given: Given, created: number): Part {
  const { client, step, state, reason = '', queued = created, sent = 0, ended = 0, expires = 0, output = '' } = given
  return { client, step, state, reason, queued, sent, ended, expires, output }
}

const endMark = ({ result, reason = '', output }: Ending, ended: number) => ({
  ...{ state: result, reason, ended },
  ...(output === undefined ? {} : { output }),
})

// Whoever stores the job is told that it failed.
const ignore = () => {}
