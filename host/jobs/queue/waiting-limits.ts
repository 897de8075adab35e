// Refuses jobs whose parts would be too many in the queue: those of one caller, and all.

import type { Job, WaitingParts } from '../../../stores/store.ts'
import { refuse } from '../../contract/refusal.ts'
import type { Refusal } from '../../contract/services.ts'
import { CoalescedRead } from '../../system/coalesced-read.ts'
import type { JobsDeps } from '../deps.ts'

/** A part takes up to 100 bytes of memory until its client connects; a job and its steps count as so many parts. */
const partsPerJob = 10
const charactersPerPart = 100

/** What a new job adds to the queue, at most. */
interface NewJob extends Pick<Job, 'by' | 'account'> {
  parts: number
  /** Stored as JSON. */
  steps: unknown
}

interface Admitted {
  account: string
  parts: number
  isStored: boolean
}

export class WaitingLimits {
  readonly #deps: JobsDeps
  /** By account, of the last read. */
  #stored = new Map<string, number>()
  /** What that read may not have found yet. */
  readonly #admitted = new Set<Admitted>()
  readonly #read = new CoalescedRead(() => this.#readStore())

  constructor(deps: JobsDeps) {
    this.#deps = deps
  }

  /** Runs what stores a job, unless its parts would be too many: then a refusal with 429. */
  async guard<Result>(work: NewJob, run: () => Promise<Result>): Promise<Result | Refusal> {
    if (work.parts === 0) return run()
    await this.#read.get()
    const admitted: Admitted = { account: work.account ?? '', parts: newParts(work), isStored: false }
    this.#admitted.add(admitted)
    const refusal = this.#check(work)
    if (refusal) {
      this.#admitted.delete(admitted)
      return refusal
    }
    try {
      return await run()
    } finally {
      admitted.isStored = true
    }
  }

  #check({ account = '', by }: NewJob): Refusal | undefined {
    const { waiting_parts: all, waiting_parts_per_caller: perCaller } = this.#deps.limits
    const own = this.#sum(each => each === account)
    if (own > perCaller) return refuse(tooMany(`of ${by}`, perCaller, own), 429)
    const sum = this.#sum(() => true)
    return sum > all ? refuse(tooMany('in all', all, sum), 429) : undefined
  }

  #sum(isMeant: (account: string) => boolean): number {
    let sum = 0
    for (const [account, parts] of this.#stored) if (isMeant(account)) sum += parts
    for (const { account, parts } of this.#admitted) if (isMeant(account)) sum += parts
    return sum
  }

  async #readStore(): Promise<void> {
    const stored = [...this.#admitted].filter(({ isStored }) => isStored)
    const waiting = await this.#deps.store.jobs.waiting()
    this.#stored = new Map(waiting.map(work => [work.account, toParts(work)]))
    for (const admitted of stored) this.#admitted.delete(admitted)
  }
}

const toParts = ({ parts, jobs, characters }: Omit<WaitingParts, 'account'>) =>
  parts + jobs * partsPerJob + Math.ceil(characters / charactersPerPart)

const newParts = ({ parts, steps }: NewJob) => toParts({ parts, jobs: 1, characters: JSON.stringify(steps).length })

const tooMany = (whose: string, most: number, count: number) =>
  `queue: expected at most ${most} waiting parts ${whose}, got ${count}`
