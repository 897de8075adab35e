// The newest events, each with the rooms that it concerns, for readers and for replay; limited in number and memory.
import type { Rights } from '../contract/services.ts'
import type { FleetEvent } from '../system/events.ts'
import { estimateBytes } from './event-bytes.ts'
import { type LoggedEvent, type Matches, sse, textFor } from './event-text.ts'
import { changesRooms, type RoomMap } from './room-map.ts'

export interface EventLogDeps {
  rooms: RoomMap
  /** Most events. */
  size: number
  /** Most bytes of memory; read at each event. */
  limits: { events_bytes: number }
  /** Called before an event is dropped that was not in the log at the last call. */
  beforeDrop?(): void
  /** The events of all hosts of a fleet, which have their ids and times. */
  isShared?: boolean
}

/** The place of an event among those of all hosts. `time`: milliseconds since 1970. */
export interface FleetPlace {
  id: number
  time: number
  host: string
}

/** Characters after which a chunk ends. */
const chunkCharacters = 64 * 1024

/** A reader that comes from another host of the fleet may have so many events that this one has not read yet. */
const mostAhead = 10_000

export class EventLog {
  /** Ids keep increasing across restarts, so a reader that reconnects with an old id gets `events-missing`. */
  newest: number
  /** The id of the oldest event; `newest + 1` while there is none. */
  oldest: number
  /** Ring buffers from `#first` on: the events, their times and their estimated memory. */
  readonly #events: (FleetEvent | undefined)[] = []
  readonly #times: Float64Array
  readonly #sizes: Float64Array
  /** What readers need of them; undefined until a reader needs it, as events come thousands at a time, often without one. */
  readonly #entries: (LoggedEvent | undefined)[] = []
  /** The newest event at the last change of the rooms: up to it all have an entry, as they are of the former rooms. */
  #settled: number
  readonly #deps: EventLogDeps
  /** The index of the oldest event. */
  #first = 0
  #count = 0
  /** Estimated memory of all events. */
  #bytes = 0
  /** The newest event at the last call of `beforeDrop`. */
  #announced: number

  constructor(deps: EventLogDeps) {
    this.#deps = deps
    this.newest = deps.isShared ? 0 : Date.now() * 1000
    this.oldest = this.newest + 1
    this.#announced = this.newest
    this.#settled = this.newest
    this.#times = new Float64Array(deps.size)
    this.#sizes = new Float64Array(deps.size)
  }

  /** `place`: of an event of a fleet; ids that are left out are of lost events. `rooms`: the log's own by default. */
  add(event: FleetEvent, place?: FleetPlace, rooms = this.#deps.rooms): void {
    const { size, limits } = this.#deps
    if (place && place.id !== this.newest + 1) this.#beginAt(place.id)
    const bytes = estimateBytes(event)
    while (this.#count >= size || (this.#count > 0 && this.#bytes + bytes > limits.events_bytes)) this.#dropOldest()
    if (changesRooms(event)) this.#settleRooms()
    const index = this.#indexOf(this.#count)
    this.newest += 1
    this.#events[index] = event
    this.#times[index] = place?.time ?? Date.now()
    this.#sizes[index] = bytes
    this.#entries[index] =
      place || changesRooms(event) ? this.#entryOf(this.newest, index, event, rooms, place?.host) : undefined
    this.#count += 1
    this.#bytes += bytes
  }

  /** Empties the log, as events before this id were lost: those who read on get `events-missing`. */
  #beginAt(id: number): void {
    while (this.#count > 0) this.#dropOldest()
    this.newest = id - 1
    this.oldest = id
    this.#announced = this.newest
  }

  /**
   * The id after which a reader starts that has received `lastEventId`, '' for a new reader; `missing` is the text of
   * an `events-missing` when the log lacks events after it.
   */
  start(lastEventId: string): { last: number; missing: string } {
    if (lastEventId === '') return { last: this.newest, missing: '' }
    const last = /^\d{1,16}$/.test(lastEventId) ? Number(lastEventId) : 0
    const end = this.newest + (this.#deps.isShared ? mostAhead : 0)
    if (last >= this.oldest - 1 && last <= end) return { last, missing: '' }
    return { last: this.oldest - 1, missing: this.missing(lastEventId) }
  }

  /**
   * The next chunk of matching events after `id`, up to the id `end`, and the last id that it covers. With limited rights
   * it has only what lies within them.
   */
  chunk(id: number, end: number, matches: Matches, rights?: Rights): { text: string; last: number } {
    const isBehind = id + 1 < this.oldest
    let text = isBehind ? this.missing(String(id)) : ''
    let last = isBehind ? this.oldest - 1 : id
    while (last < end && text.length < chunkCharacters) {
      last += 1
      const entry = this.at(last)
      if (entry) text += textFor(entry, matches, rights)
    }
    return { text, last }
  }

  /** The event with an id, undefined when the log does not have it any more. */
  at(id: number): LoggedEvent | undefined {
    const index = this.#indexOf(id - this.oldest)
    const event = this.#events[index]
    if (event) this.#entries[index] ??= this.#entryOf(id, index, event, this.#deps.rooms, undefined)
    return this.#entries[index]
  }

  #entryOf(id: number, index: number, event: FleetEvent, rooms: RoomMap, host: string | undefined): LoggedEvent {
    return { id, time: this.#times[index] ?? 0, host, event, rooms: rooms.update(event), text: undefined }
  }

  /** Makes the entries that need the rooms as they are before they change. */
  #settleRooms(): void {
    for (let id = Math.max(this.#settled + 1, this.oldest); id <= this.newest; id += 1) this.at(id)
    this.#settled = this.newest
  }

  /** The index of the event that comes `offset` events after the oldest one. */
  #indexOf(offset: number): number {
    const index = this.#first + offset
    return index < this.#deps.size ? index : index - this.#deps.size
  }

  #dropOldest(): void {
    if (this.oldest > this.#announced) {
      this.#announced = this.newest
      this.#deps.beforeDrop?.()
    }
    this.#bytes -= this.#sizes[this.#first] ?? 0
    this.#events[this.#first] = undefined
    this.#entries[this.#first] = undefined
    this.#first = this.#indexOf(1)
    this.#count -= 1
    this.oldest += 1
  }

  /** The text of an `events-missing` for a reader that has the events up to `after`. */
  missing(after: string): string {
    const { oldest } = this
    const event = { id: oldest - 1, time: new Date().toISOString(), type: 'events-missing', after, oldest }
    return sse(event.id, event.type, event)
  }
}
