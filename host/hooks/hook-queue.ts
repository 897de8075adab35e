// The events that wait for one hook: those of the bus, which are only in memory, and those that were read from the store.
import type { FleetEvent } from '../system/events.ts'

/** `time`: milliseconds since 1970. */
export interface WaitingEvent {
  time: number
  event: FleetEvent
  /** Of a fleet of several hosts, where it happened. */
  host?: string
  /** Of a stored event. */
  id?: number
}

/** Events between these times, in milliseconds since 1970, that the hook does not get. */
export interface Gap {
  since: number
  until: number
}

/** What one run gets: those of the bus and those of the store each in their own order, merged by their times. */
export interface Batch {
  gap?: Gap
  events: readonly WaitingEvent[]
}

/** Events of one run. */
const batchEvents = 500

/** Events of the bus that wait for a hook: the oldest of more become a gap. */
export const mostWaiting = 100_000

export class HookQueue {
  #gap: Gap | undefined
  /** Those before `#first` have been taken, or were lost. */
  #bus: WaitingEvent[] = []
  #first = 0
  #stored: WaitingEvent[] = []

  get size(): number {
    return this.#bus.length - this.#first + this.#stored.length
  }

  get isEmpty(): boolean {
    return this.size === 0 && this.#gap === undefined
  }

  /** Of those from the store. */
  get storedSize(): number {
    return this.#stored.length
  }

  /** The time of the oldest event that waits, undefined when none does. */
  get oldest(): number | undefined {
    const times = [this.#gap?.since, this.#bus[this.#first]?.time, this.#stored[0]?.time]
    const known = times.filter(time => time !== undefined)
    return known.length === 0 ? undefined : Math.min(...known)
  }

  add(event: WaitingEvent): void {
    this.#bus.push(event)
    if (this.#bus.length - this.#first <= mostWaiting) return
    const lost = this.#bus[this.#first]
    this.#first += 1
    this.#shrink()
    if (lost) this.addGap({ since: lost.time, until: lost.time })
  }

  /** In the order of their ids. */
  addStored(events: readonly WaitingEvent[]): void {
    this.#stored.push(...events)
  }

  /** What waited before everything else. */
  addFirst({ gap, events }: { gap?: Gap; events: readonly WaitingEvent[] }): void {
    if (gap) this.addGap(gap)
    this.#bus = [...events, ...this.#bus.slice(this.#first)]
    this.#first = 0
  }

  addGap({ since, until }: Gap): void {
    const gap = this.#gap ?? { since, until }
    this.#gap = { since: Math.min(gap.since, since), until: Math.max(gap.until, until) }
  }

  take(): Batch {
    const gap = this.#gap
    this.#gap = undefined
    const events: WaitingEvent[] = []
    let stored = 0
    while (events.length < batchEvents) {
      const [ofBus, ofStore] = [this.#bus[this.#first], this.#stored[stored]]
      if (ofStore && (!ofBus || ofStore.time <= ofBus.time)) {
        events.push(ofStore)
        stored += 1
      } else if (ofBus) {
        events.push(ofBus)
        this.#first += 1
      } else break
    }
    this.#stored.splice(0, stored)
    this.#shrink()
    return { ...(gap && { gap }), events }
  }

  /** What is lost when the daemon ends. */
  unstored(): { gap?: Gap; events: readonly WaitingEvent[] } {
    return { ...(this.#gap && { gap: this.#gap }), events: this.#bus.slice(this.#first) }
  }

  clear(): void {
    this.#gap = undefined
    this.#bus = []
    this.#first = 0
    this.#stored = []
  }

  #shrink(): void {
    if (this.#first < 1024 || this.#first < this.#bus.length / 2) return
    this.#bus = this.#bus.slice(this.#first)
    this.#first = 0
  }
}
