// The parts of jobs as they wait for their clients: what those of a job have in common is in memory once.
import type { Job, JobConditions, Part } from '../../../stores/store.ts'

export type QueuedJob = Pick<Job, 'id' | 'account' | 'steps' | 'conditions'>

/** What a part is called in the store. */
export interface QueuedName {
  job: number
  index: number
}

export const nameOf = ({ job, index }: QueuedName) => `${job}:${index}`

/** What a queued part depends on besides its client. */
export interface StartRules extends Omit<JobConditions, 'after_success'> {
  /** The step of the part, which needs the success of all steps before it. */
  afterSuccess?: number
  job: number
  /** The address of the repository of its image. */
  repository?: string | undefined
}

/** What waiting parts of a job have in common; `expires`: seconds. */
export interface WaitingJob extends Pick<Part, 'queued' | 'expires'> {
  id: number
  /** Its name in the lists of this process. */
  number: number
  /** Of who asked for it, see `Job`. */
  account: string | undefined
  commands: readonly string[]
  /** As JSON, which takes less memory than objects. */
  payloads: readonly string[]
  rules: readonly (StartRules | undefined)[]
  /** How many of its parts are in lists. */
  count: number
}

/** Which parts: of a job, one of them, those that `isMeant` accepts; without keys all. */
export interface PartTarget extends Partial<QueuedName> {
  isMeant?(part: QueuedPart): boolean
}

export class QueuedPart implements QueuedName {
  readonly waitingJob: WaitingJob
  readonly index: number
  readonly step: number
  /** With several hosts: when it was put into this queue by itself, by the monotonic clock, else 0. */
  added: number
  /** It may be stored as sent although it was not sent: the engine did not respond. */
  isUncertain = false

  constructor(waitingJob: WaitingJob, { index, step, added = 0 }: { index: number; step: number; added?: number }) {
    this.waitingJob = waitingJob
    this.index = index
    this.step = step
    this.added = added
  }

  get job(): number {
    return this.waitingJob.id
  }

  get account(): string | undefined {
    return this.waitingJob.account
  }

  get command(): string {
    return this.waitingJob.commands[this.step] ?? ''
  }

  get payload(): Record<string, unknown> {
    return JSON.parse(this.waitingJob.payloads[this.step] ?? '{}')
  }

  /** Absent: it may be sent as soon as its client can take it. */
  get rules(): StartRules | undefined {
    return this.waitingJob.rules[this.step]
  }
}

/** The jobs of the parts in all lists. */
export class WaitingJobs {
  readonly #byNumber = new Map<number, WaitingJob>()
  /** Several when not all parts of a job were queued at one time, or may wait for one time. */
  readonly #byId = new Map<number, WaitingJob[]>()
  /** It may be in no list. */
  #newest: WaitingJob | undefined

  get(number: number): WaitingJob | undefined {
    return this.#byNumber.get(number)
  }

  /** That of a part. */
  of(job: QueuedJob, part: Pick<Part, 'queued' | 'expires'>, rulesOf: () => WaitingJob['rules']): WaitingJob {
    const { id, account, steps } = job
    if (this.#newest && isOf(this.#newest, id, part)) return this.#newest
    const known = this.#byId.get(id)?.find(each => isOf(each, id, part))
    if (known) return known
    const { queued, expires } = part
    const number = (this.#newest?.number ?? 0) + 1
    const commands = steps.map(({ command }) => command)
    const payloads = steps.map(({ payload }) => JSON.stringify(payload))
    this.#newest = { id, number, account, queued, expires, commands, payloads, rules: rulesOf(), count: 0 }
    return this.#newest
  }

  /** A list has one more of its parts. */
  retain(job: WaitingJob): void {
    job.count += 1
    if (job.count > 1) return
    this.#byNumber.set(job.number, job)
    this.#byId.set(job.id, [...(this.#byId.get(job.id) ?? []), job])
  }

  /** A list has one part less. */
  release(job: WaitingJob): void {
    job.count -= 1
    if (job.count > 0) return
    this.#byNumber.delete(job.number)
    const others = (this.#byId.get(job.id) ?? []).filter(each => each !== job)
    if (others.length > 0) this.#byId.set(job.id, others)
    else this.#byId.delete(job.id)
  }
}

const isOf = (each: WaitingJob, id: number, { queued, expires }: Pick<Part, 'queued' | 'expires'>): boolean =>
  each.id === id && each.queued === queued && each.expires === expires
