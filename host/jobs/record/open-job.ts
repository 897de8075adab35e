// A job to which parts are added one by one. Parts may end before and after the job is stored.
import { mergeUpdate } from '../../../stores/rules/parts.ts'
import type { Firing, Job, New, Part, PartUpdate } from '../../../stores/store.ts'
import { type AgentOutcome, whenFinal } from '../../agents/agent-request.ts'
import { isRefusal } from '../../contract/refusal.ts'
import type { Refusal } from '../../contract/services.ts'
import type { Clock } from '../../system/clock.ts'

type NewPart = Pick<Part, 'client' | 'step' | 'state'> & Partial<Part>

export interface OpenJobDeps {
  /** See `JobStore`. */
  jobStore: { add(open: OpenJob, firing?: Firing): Promise<number | Refusal> }
  clock: Clock
  /** Stores an update of a stored part soon. */
  update(update: PartUpdate): void
  startJob: StartJob
}

/**
 * Queues the parts of a stored job that wait. The result may be a promise, which resolves when other hosts have begun to
 * send their parts: then the job is as far as with one host.
 */
type StartJob = (id: number, job: OpenJob) => Promise<void> | undefined

export class OpenJob {
  readonly job: New<Job>
  readonly parts: Part[] = []
  /** By number, the host of each part that another host is to send at once. */
  readonly direct = new Map<number, string>()
  /** The numbers of all parts that other hosts look after; filled when the job is stored. */
  readonly elsewhere = new Set<number>()
  readonly #deps: OpenJobDeps
  #state: 'open' | 'storing' | 'stored' = 'open'
  #id = 0
  /** Changes of parts while the job is being stored. */
  #early: PartUpdate[] = []

  constructor(job: New<Job>, deps: OpenJobDeps) {
    this.job = job
    this.#deps = deps
  }

  /** 0 until it is stored. */
  get id(): number {
    return this.#id
  }

  /** Returns the number of the new part. */
  add(part: NewPart): number {
    return this.parts.push(newPart(part, this.job.created)) - 1
  }

  change(index: number, change: Omit<PartUpdate, 'job' | 'index'>): void {
    this.#update({ job: this.#id, index, ...change })
  }

  end(index: number, outcome: AgentOutcome): void {
    whenFinal(outcome, final => this.#update(endUpdate(this.#id, index, final, this.#deps.clock.now())))
  }

  /** The part is sent by this host of the fleet, at once; `expires`: it waits so many seconds when it cannot be sent. */
  assign(index: number, host: string, expires = 0): void {
    this.change(index, { state: 'queued', sent: 0, expires })
    this.direct.set(index, host)
  }

  /** To be called once. Resolves to the id when the job is on disk and its parts are queued, or to `taken`. */
  async store(firing?: Firing): Promise<number | Refusal> {
    this.#state = 'storing'
    const { jobStore, update, startJob } = this.#deps
    const id = await jobStore.add(this, firing)
    if (isRefusal(id)) return id
    this.#state = 'stored'
    this.#id = id
    for (const each of this.#early) update({ ...each, job: id })
    const started = startJob(id, this)
    if (started) await started
    return id
  }

  #update(update: PartUpdate): void {
    const part = this.parts[update.index]
    if (this.#state === 'stored') this.#deps.update(update)
    else if (this.#state === 'storing') this.#early.push(update)
    else if (part) mergeUpdate(part, update)
  }
}

/** Without spreads, because it runs for each of thousands of clients. */
function newPart(part: NewPart, created: number): Part {
  const { client, step, state, reason = '', queued = created, sent = 0, ended = 0, expires = 0, output = '' } = part
  return { client, step, state, reason, queued, sent, ended, expires, output }
}

export function endUpdate(
  job: number,
  index: number,
  { result, reason = '', output }: AgentOutcome,
  ended: number,
): PartUpdate {
  const update = { job, index, state: result, reason, ended }
  return output === undefined ? update : { job, index, state: result, reason, ended, output }
}
