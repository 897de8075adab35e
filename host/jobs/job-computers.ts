// Counts the computers of jobs for lists: of several steps, a computer has a part of each.
import { countUnfinished, noParts } from '../../stores/rules/part-states.ts'
import type { ComputerCount, Store } from '../../stores/store.ts'
import type { JobEntry } from '../contract/services.ts'
import type { FoundJob } from './job-report.ts'
import { type FindCommand, stoppedBy } from './record/stopped-by.ts'

interface JobComputersDeps {
  store: { jobs: Pick<Store['jobs'], 'countComputers'> }
  registry: { find: FindCommand }
}

/** Finished jobs whose counts are kept, as they do not change any more. */
const maxKept = 1000

export class JobComputers {
  readonly #deps: JobComputersDeps
  /** Of finished jobs, the first read first. */
  readonly #kept = new Map<number, ComputerCount[]>()

  constructor(deps: JobComputersDeps) {
    this.#deps = deps
  }

  /** What somebody has stopped is no failure. */
  async of(found: FoundJob): Promise<JobEntry['computers']> {
    const { steps, counts } = found.job
    // Of one step, the parts are the computers.
    if (steps.length < 2 && counts.failure === 0) return { ...counts, stopped: 0 }
    const computers = { ...noParts(), stopped: 0 }
    const { registry } = this.#deps
    for (const { step, state, reason, count } of await this.#read(found)) {
      const stopper = stoppedBy({ command: steps[step]?.command ?? '', reason }, name => registry.find(name))
      computers[stopper === undefined ? state : 'stopped'] += count
    }
    return computers
  }

  async #read({ job: { id, counts }, clients }: FoundJob): Promise<ComputerCount[]> {
    const kept = clients ? undefined : this.#kept.get(id)
    if (kept) return kept
    const read = await this.#deps.store.jobs.countComputers(id, clients)
    if (clients || countUnfinished(counts) > 0) return read
    const [first] = this.#kept.keys()
    if (this.#kept.size >= maxKept && first !== undefined) this.#kept.delete(first)
    this.#kept.set(id, read)
    return read
  }
}
