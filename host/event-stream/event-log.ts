// The newest events in order, each with the clients and rooms that it concerns, for readers and for replay.
import type { FleetEvent } from '../system/events.ts'
import { clientsOf, type RoomMap } from './room-map.ts'

/** What a filter decides by. */
export interface EventScope {
  type: string
  clients: string[]
  rooms: readonly number[]
}

export type Matches = (scope: EventScope) => boolean

interface LoggedEvent {
  id: number
  /** Milliseconds since 1970. */
  time: number
  event: FleetEvent
  rooms: readonly number[]
  /** Undefined until a reader needs it. */
  text: string | undefined
}

/** Characters after which a chunk ends. */
const chunkCharacters = 64 * 1024

export class EventLog {
  /** Ids keep increasing across restarts, so a reader that reconnects with an old id gets `events-missing`. */
  newest = Date.now() * 1000
  readonly #first = this.newest + 1
  /** Ring buffer: the event with this id is at `id % size`. */
  readonly #entries: LoggedEvent[] = []
  readonly #size: number
  readonly #rooms: RoomMap

  constructor(size: number, rooms: RoomMap) {
    this.#size = size
    this.#rooms = rooms
  }

  get oldest(): number {
    return Math.max(this.#first, this.newest - this.#size + 1)
  }

  add(event: FleetEvent): void {
    this.newest += 1
    this.#entries[this.newest % this.#size] = {
      id: this.newest,
      time: Date.now(),
      event,
      rooms: this.#rooms.update(event),
      text: undefined,
    }
  }

  /**
   * The id after which a reader starts that has received `lastEventId`, '' for a new reader; `missing` is the text of
   * an `events-missing` when the log lacks events after it.
   */
  start(lastEventId: string): { last: number; missing: string } {
    if (lastEventId === '') return { last: this.newest, missing: '' }
    const last = /^\d{1,16}$/.test(lastEventId) ? Number(lastEventId) : 0
    if (last >= this.oldest - 1 && last <= this.newest) return { last, missing: '' }
    return { last: this.oldest - 1, missing: this.#missing(lastEventId) }
  }

  /** The next chunk of matching events after `id`, up to the id `end`, and the last id that it covers. */
  chunk(id: number, end: number, matches: Matches): { text: string; last: number } {
    const isBehind = id + 1 < this.oldest
    let text = isBehind ? this.#missing(String(id)) : ''
    let last = isBehind ? this.oldest - 1 : id
    while (last < end && text.length < chunkCharacters) {
      last += 1
      const entry = this.#entries[last % this.#size]
      if (!entry) continue
      const { event, rooms } = entry
      if (matches({ type: event.type, clients: clientsOf(event), rooms })) text += textOf(entry)
    }
    return { text, last }
  }

  #missing(after: string): string {
    const { oldest } = this
    const event = { id: oldest - 1, time: new Date().toISOString(), type: 'events-missing', after, oldest }
    return sse(event.id, event.type, event)
  }
}

/** Keys that `clients` and `rooms` stand for; JSON leaves out undefined values. */
const internalKeys = { addr: undefined, addrs: undefined, computers: undefined, ip: undefined, room: undefined }

/** Called for the first reader only: events come thousands at a time, often without a reader. */
function textOf(entry: LoggedEvent): string {
  const { id, event, rooms } = entry
  const { type, ...details } = event
  const time = new Date(entry.time).toISOString()
  entry.text ??= sse(id, type, { id, time, type, clients: clientsOf(event), rooms, ...details, ...internalKeys })
  return entry.text
}

const sse = (id: number, type: string, data: object) => `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
