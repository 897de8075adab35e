// The events of this host that wait to be published: not more than fit into memory while the database is away.

import type { Log } from '../log/log.ts'
import type { FleetEvent } from '../system/events.ts'

/** `time`: milliseconds since 1970. */
export interface TimedEvent {
  time: number
  event: FleetEvent
}

interface EventBatch {
  events: TimedEvent[]
  /** How many were lost before these. */
  lost: number
  /** Events of another host may have been lost before these. */
  isAfterGap: boolean
}

/** Events of one batch: its transaction keeps all other hosts from publishing. */
const batchEvents = 5000

/** Events that wait while the database is away. */
const maxWhileAway = 10_000
/** And while it is there: a command to 10,000 clients has 40,000 within a second. About 500 bytes each. */
const maxEvents = 200_000

export const nothing: EventBatch = { events: [], lost: 0, isAfterGap: false }

export class WaitingEvents {
  readonly #log: Log
  readonly #isDatabaseAway: () => boolean
  #events: TimedEvent[] = []
  #lost = 0
  #isAfterGap = false

  constructor(log: Log, isDatabaseAway: () => boolean) {
    this.#log = log
    this.#isDatabaseAway = isDatabaseAway
  }

  get size(): number {
    return this.#events.length
  }

  /** Whether a whole batch waits. */
  get hasBatch(): boolean {
    return this.#events.length >= batchEvents
  }

  add(event: FleetEvent): void {
    this.#events.push({ time: Date.now(), event })
    if (this.#events.length <= maxWhileAway) return
    const max = this.#isDatabaseAway() ? maxWhileAway : maxEvents
    if (this.#events.length <= max) return
    if (this.#lost === 0) this.#log.warn('cluster', `more than ${max} events wait: the oldest are lost`)
    this.#lost += this.#events.splice(0, this.#events.length - max).length
  }

  take(): EventBatch {
    if (this.#events.length === 0) return nothing
    const batch = { events: this.#events.splice(0, batchEvents), lost: this.#lost, isAfterGap: this.#isAfterGap }
    this.#lost = 0
    this.#isAfterGap = false
    return batch
  }

  /** What was taken cannot be published: it is lost as well. */
  lose({ events, lost }: EventBatch): void {
    this.#lost += events.length + lost
  }

  /** Events of another host may have been lost: those who read on are to notice. */
  addGap(): void {
    this.#isAfterGap = true
  }
}
