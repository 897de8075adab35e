// The newest events, each with the rooms that it concerns, for readers and for replay; limited in number and memory.
import type { Rights } from '../services.ts'
import type { FleetEvent } from '../system/events.ts'
import { estimateBytes } from './event-bytes.ts'
import { type EventView, limitEvent } from './limited-event.ts'
import { clientsOf, type RoomMap } from './room-map.ts'

/** Whether a filter selects an event, which concerns these rooms. */
export type Matches = (event: FleetEvent, rooms: readonly number[]) => boolean

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

export interface LoggedEvent {
  id: number
  /** Estimated memory. */
  bytes: number
  /** Milliseconds since 1970. */
  time: number
  /** Where it happened; undefined in a daemon that runs alone. */
  host: string | undefined
  event: FleetEvent
  rooms: readonly number[]
  /** Undefined until a reader needs it. */
  text: string | undefined
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
  /** Ring buffer from `#first` on. */
  readonly #entries: (LoggedEvent | undefined)[] = []
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
  }

  /** `place`: of an event of a fleet; ids that are left out are of lost events. `rooms`: the log's own by default. */
  add(event: FleetEvent, place?: FleetPlace, rooms = this.#deps.rooms): void {
    const { size, limits } = this.#deps
    if (place && place.id !== this.newest + 1) this.#beginAt(place.id)
    const bytes = estimateBytes(event)
    while (this.#count >= size || (this.#count > 0 && this.#bytes + bytes > limits.events_bytes)) this.#dropOldest()
    const id = this.newest + 1
    this.newest = id
    this.#entries[this.#indexOf(this.#count)] = {
      id,
      bytes,
      time: place?.time ?? Date.now(),
      host: place?.host,
      event,
      rooms: rooms.update(event),
      text: undefined,
    }
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
    return this.#entries[this.#indexOf(id - this.oldest)]
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
    this.#bytes -= this.#entries[this.#first]?.bytes ?? 0
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

/** What a reader gets of an event, '' for nothing. With limited rights it has only what lies within them. */
export const textFor = (entry: LoggedEvent, matches: Matches, rights?: Rights): string =>
  rights?.isLimited ? limitedText(entry, matches, rights) : matchingText(entry, matches)

/** Whether a reader gets something of an event. */
export function selects(entry: LoggedEvent, matches: Matches, rights: Rights): boolean {
  const view = rights.isLimited ? limitEvent(entry, rights) : entry
  return view !== undefined && matches(view.event, view.rooms)
}

/** Called for the first reader only: events come thousands at a time, often without a reader. */
function matchingText(entry: LoggedEvent, matches: Matches): string {
  if (!matches(entry.event, entry.rooms)) return ''
  entry.text ??= textOf(entry, entry)
  return entry.text
}

/** The filter is asked about what the reader sees: it must not find out more. */
function limitedText(entry: LoggedEvent, matches: Matches, rights: Rights): string {
  const view = limitEvent(entry, rights)
  return view && matches(view.event, view.rooms) ? textOf(entry, view) : ''
}

/** Keys that `clients` and `rooms` stand for, or that only the host needs; JSON leaves out undefined values. */
const internalKeys = {
  addr: undefined,
  addrs: undefined,
  computers: undefined,
  ip: undefined,
  room: undefined,
  maker: undefined,
  kind: undefined,
}

/** Addresses in the text of a job's event. Filters see all of them. */
const listedClients = 100

function textOf({ id, time: milliseconds, host }: LoggedEvent, { event, rooms }: EventView): string {
  const { type, ...details } = event
  const time = new Date(milliseconds).toISOString()
  return sse(id, type, { id, time, type, ...listedClientsOf(event), rooms, host, ...details, ...internalKeys })
}

/** Of a job with thousands of clients, which `GET /jobs/<id>` lists, only the first ones and their number. */
function listedClientsOf(event: FleetEvent): { clients: string[]; clients_total?: number } {
  const clients = clientsOf(event)
  if (!('job' in event) || clients.length <= listedClients) return { clients }
  return { clients: clients.slice(0, listedClients), clients_total: clients.length }
}

const sse = (id: number, type: string, data: object) => `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
