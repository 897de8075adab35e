// Which events a store adds to its writes.
import type { FinishedJob } from '../store.ts'

type Event = { type: string }

export class RecordedTypes {
  #types: ReadonlySet<string> | undefined

  /** Undefined: all. */
  constructor(types?: readonly string[]) {
    this.set(types)
  }

  set(types: readonly string[] | undefined): void {
    this.#types = types && new Set(types)
  }

  /** Those of these types. */
  of(events: readonly Event[]): readonly Event[] {
    return events.filter(({ type }) => this.has(type))
  }

  has(type: string): boolean {
    return this.#types?.has(type) ?? true
  }
}

/** The event of the bus, the stream and the stored ones. */
export function finishedEvent({ job, name, by, counts, clients }: FinishedJob) {
  const present: Record<string, number> = {}
  for (const [state, count] of Object.entries(counts)) if (count > 0) present[state] = count
  return { type: 'job-finished' as const, job, name, by, counts: present, addrs: clients }
}
