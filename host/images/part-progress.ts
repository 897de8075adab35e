// The newest progress of each running part, from the events: those of other hosts come as events, too.
import type { PartProgress } from '../contract/services.ts'
import type { Events, FleetEvent } from '../system/events.ts'

type ProgressEvent = FleetEvent & { type: 'job-progress' }

/** Jobs whose progress is kept: there is hardly ever more than one for each repository. */
const maxJobs = 1000

export class PartProgressList {
  /** By job, then by address. A client runs one part at a time. */
  readonly #jobs = new Map<number, Map<string, ProgressEvent>>()

  constructor(events: Events) {
    events.on(event => this.#onEvent(event), ['job-progress', 'job-part', 'job-finished'])
  }

  of(job: number): PartProgress[] {
    return Array.from(this.#jobs.get(job)?.values() ?? [], ({ addr, step, percent, rate, remaining }) => ({
      client: addr,
      step,
      percent,
      rate,
      remaining,
    }))
  }

  #onEvent(event: FleetEvent): void {
    if (event.type === 'job-progress') {
      const parts = this.#jobs.get(event.job) ?? new Map<string, ProgressEvent>()
      this.#jobs.set(event.job, parts.set(event.addr, event))
      // An event of another host may come after the end of its job.
      for (const oldest of this.#jobs.keys()) if (this.#jobs.size > maxJobs) this.#jobs.delete(oldest)
    } else if (event.type === 'job-finished') this.#jobs.delete(event.job)
    else if (event.type === 'job-part') this.#end(event.job, event.addr, event.command)
  }

  #end(job: number, addr: string, command: string): void {
    const parts = this.#jobs.get(job)
    if (parts?.get(addr)?.command !== command) return
    parts.delete(addr)
    if (parts.size === 0) this.#jobs.delete(job)
  }
}
