// The newest events, each with the rooms that it concerns, for readers and for replay; limited in number and memory.
import type { Rights } from '../contract/services.ts'
import type { FleetEvent } from '../system/events.ts'
import { type LoggedEvent, type Matches, sse, textFor } from './event-text.ts'
import { changesRooms, type RoomMap } from './room-map.ts'

interface EventLogDeps {
  rooms: RoomMap
  /** Most events. */
  size: number
  /** Most bytes of memory; read at each event. */
  limits: { events_bytes: number }
  /** Called before an event is dropped that was not in the log at the last call. */
  beforeDrop?(): void
  /** The events are those of all hosts, which have their ids and times. */
  isOfCluster?: boolean
}

/** The id of an event among those of all hosts. `time`: milliseconds since 1970. */
export interface ClusterPosition {
  id: number
  time: number
  host: string
}

/** Characters after which a chunk ends. */
export const chunkCharacters = 64 * 1024

/** A reader that comes from another host may have so many events that this one has not read yet. */
const mostAhead = 10_000

export class EventLog {
  /** Ids keep increasing across restarts, so a reader that reconnects with an old id gets `events-missing`. */
  newest: number
  /** The id of the oldest event; `newest + 1` while there is none. */
  oldest: number
  /** Rings: what is known of each event, at the same index. Of rooms until they change only what a reader has asked for. */
  readonly #events: (FleetEvent | undefined)[] = []
  readonly #rooms: (readonly number[] | undefined)[] = []
  readonly #times: Float64Array
  readonly #sizes: Float64Array
  /** What readers get of them; made for the first reader, as thousands of events come at once, often without one. */
  readonly #entries: (LoggedEvent | undefined)[] = []
  /** The id whose index is 0. */
  readonly #base: number
  readonly #deps: EventLogDeps
  /** Estimated memory of all events. */
  #bytes = 0
  /** The newest event at the last call of `beforeDrop`. */
  #announced: number
  /** The newest event when rooms last changed. */
  #withRooms = 0

  constructor(deps: EventLogDeps) {
    this.#deps = deps
    this.newest = deps.isOfCluster ? 0 : Date.now() * 1000
    this.oldest = this.newest + 1
    this.#announced = this.newest
    this.#base = this.oldest
    this.#times = new Float64Array(deps.size)
    this.#sizes = new Float64Array(deps.size)
  }

  /** `position`: ids that are left out are of lost events. `rooms`: the log's own by default. */
  add(event: FleetEvent, position?: ClusterPosition, rooms = this.#deps.rooms): void {
    const { size, limits } = this.#deps
    if (position && position.id !== this.newest + 1) this.#beginAt(position.id)
    const bytes = estimateBytes(event)
    while (this.#count >= size || (this.#count > 0 && this.#bytes + bytes > limits.events_bytes)) this.#dropOldest()
    if (changesRooms(event)) this.#findRooms()
    this.newest += 1
    this.#bytes += bytes
    const index = this.#indexOf(this.newest)
    this.#events[index] = event
    this.#rooms[index] = position || changesRooms(event) ? rooms.update(event) : undefined
    this.#times[index] = position?.time ?? Date.now()
    this.#sizes[index] = bytes
    this.#entries[index] = position && this.#entryOf(this.newest, position.host)
  }

  /**
   * The id after which a reader starts that has received `lastEventId`, '' for a new reader; `missing` is the text of
   * an `events-missing` when the log lacks events after it.
   */
  start(lastEventId: string): { last: number; missing: string } {
    if (lastEventId === '') return { last: this.newest, missing: '' }
    const last = /^\d{1,16}$/.test(lastEventId) ? Number(lastEventId) : 0
    const end = this.newest + (this.#deps.isOfCluster ? mostAhead : 0)
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

  /** The event with an id, undefined when the log does not have it. */
  at(id: number): LoggedEvent | undefined {
    if (id < this.oldest || id > this.newest) return undefined
    const index = this.#indexOf(id)
    this.#entries[index] ??= this.#entryOf(id, undefined)
    return this.#entries[index]
  }

  /** The text of an `events-missing` for a reader that has the events up to `after`. */
  missing(after: string): string {
    const { oldest } = this
    const event = { id: oldest - 1, time: new Date().toISOString(), type: 'events-missing', after, oldest }
    return sse(event.id, event.type, event)
  }

  get #count(): number {
    return this.newest - this.oldest + 1
  }

  /** Empties the log, as events before this id were lost: those who read on get `events-missing`. */
  #beginAt(id: number): void {
    while (this.#count > 0) this.#dropOldest()
    this.newest = id - 1
    this.oldest = id
    this.#announced = this.newest
  }

  /** Those of all events so far, before they change. */
  #findRooms(): void {
    for (let id = Math.max(this.#withRooms + 1, this.oldest); id <= this.newest; id += 1) this.at(id)
    this.#withRooms = this.newest
  }

  #dropOldest(): void {
    if (this.oldest > this.#announced) {
      this.#announced = this.newest
      this.#deps.beforeDrop?.()
    }
    const index = this.#indexOf(this.oldest)
    this.#bytes -= this.#sizes[index] ?? 0
    this.#events[index] = undefined
    this.#entries[index] = undefined
    this.oldest += 1
  }

  #indexOf(id: number): number {
    return (id - this.#base) % this.#deps.size
  }

  #entryOf(id: number, host: string | undefined): LoggedEvent | undefined {
    const index = this.#indexOf(id)
    const event = this.#events[index]
    if (!event) return undefined
    this.#rooms[index] ??= this.#deps.rooms.update(event)
    return { id, time: this.#times[index] ?? 0, host, event, rooms: this.#rooms[index], text: undefined }
  }
}

/** Bytes of an event with short texts, and of its own text for readers. */
const eventBytes = 500
/** Bytes of an address or computer in a list, and of its text for readers. */
const elementBytes = 100
/** Bytes of a character: one or two in the event, and as many in its text for readers. */
const characterBytes = 4

/** The memory of an event and of its text for readers. Much faster than with `Object.values`. */
function estimateBytes(event: FleetEvent): number {
  // Written out, as these come thousands at a time.
  if (event.type === 'client-state') {
    const { type, addr, state, status } = event
    return eventBytes + characterBytes * (type.length + addr.length + state.length + status.length)
  }
  if (event.type === 'job-part' && event.reason === undefined) {
    const { type, addr, command, state } = event
    return eventBytes + characterBytes * (type.length + addr.length + command.length + state.length)
  }
  let bytes = eventBytes
  for (const key in event) {
    // `as`: TypeScript takes the keys of a loop for any text.
    const value: unknown = event[key as keyof FleetEvent]
    if (typeof value === 'string') bytes += value.length * characterBytes
    else if (Array.isArray(value)) bytes += value.length * elementBytes
  }
  return bytes
}
