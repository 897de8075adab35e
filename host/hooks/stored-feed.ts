// Reads the stored events for all hooks of this host, and deletes those that every hook has handled.
import type { StoredEvents } from '../../stores/store.ts'
import type { FleetEvent } from '../system/events.ts'
import { atEndOfTick } from '../system/time-slices.ts'
import type { Gap, WaitingEvent } from './hook-queue.ts'

/** Rows of one read. */
export const readSize = 500

/** Stored events that are kept for a hook that does not run; of more the oldest are lost. */
const mostStored = 100_000

export class StoredFeed {
  readonly #events: StoredEvents
  /** The reads of this tick, by the id after which they begin: most hooks have come equally far. */
  readonly #reads = new Map<number, Promise<WaitingEvent[]>>()
  #lost: (Gap & { id: number }) | undefined

  constructor(events: StoredEvents) {
    this.#events = events
  }

  /** Those up to its id have been deleted before every hook had them. */
  get lost(): (Gap & { id: number }) | undefined {
    return this.#lost
  }

  record(types: readonly string[]): void {
    this.#events.record(types)
  }

  /** Resolves to the id of the newest event. */
  async refresh(): Promise<number> {
    const { last, lost } = await this.#events.state()
    this.#lost = lost
    return last
  }

  /** The oldest first, at most `readSize`. Begins at the end of the tick, so that no event before the call is missing. */
  read(after: number): Promise<WaitingEvent[]> {
    const running = this.#reads.get(after)
    if (running) return running
    const read = new Promise<void>(atEndOfTick).then(() => {
      this.#reads.delete(after)
      return this.#read(after)
    })
    this.#reads.set(after, read)
    return read
  }

  /** `handled`: the id up to which every hook has them. */
  async trim(handled: number): Promise<void> {
    await this.#events.trim(handled, mostStored)
    await this.refresh()
  }

  async #read(after: number): Promise<WaitingEvent[]> {
    const rows = await this.#events.read(after, readSize)
    // Ids have gaps also where an engine has given some back.
    if (rows[0] && rows[0].id > after + 1) await this.refresh()
    // `as`: the store knows events by their type only, and they are those of the bus.
    return rows.map(({ id, time, event }) => ({ id, time, event: event as FleetEvent }))
  }
}
