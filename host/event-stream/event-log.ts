// The last events in order, each with the clients and the rooms that it concerns, and as the text that readers get.
import type { Store } from '../../stores/store.ts'
import type { FleetEvent } from '../system/events.ts'

/** What a filter sees of an event. */
export interface EventScope {
  type: string
  clients: string[]
  rooms: number[]
}

export type Fits = (event: EventScope) => boolean

interface LoggedEvent {
  id: number
  /** Milliseconds since 1970. */
  time: number
  event: FleetEvent
  /** Undefined until somebody listens. */
  rooms: number[] | undefined
  text: string | undefined
}

/** Characters that a reader is given at a time. */
const textCharacters = 64 * 1024

/** Events whose rooms are looked up together. */
const placedTogether = 500

export class EventLog {
  /** Ids go on over a restart: a reader that comes back with one of the daemon before is told that it lacks some. */
  newest = Date.now() * 1000
  readonly #first = this.newest + 1
  readonly #kept: LoggedEvent[] = []
  readonly #size: number
  readonly #store: Pick<Store, 'computers'>
  /** The rooms of addresses, as far as they were asked for. */
  readonly #rooms = new Map<string, number | undefined>()
  /** Of all up to this id the rooms are known. */
  #placed = this.newest
  #placing: Promise<void> = Promise.resolve()

  constructor(size: number, store: Pick<Store, 'computers'>) {
    this.#size = size
    this.#store = store
  }

  get oldest(): number {
    return Math.max(this.#first, this.newest - this.#size + 1)
  }

  add(event: FleetEvent): void {
    this.newest += 1
    this.#kept[this.newest % this.#size] = {
      id: this.newest,
      time: Date.now(),
      event,
      rooms: undefined,
      text: undefined,
    }
  }

  /** Where a reader begins that has had the event `after`, and what it is told when some after that are gone. */
  start(after: string): { last: number; lacking: string } {
    if (after === '') return { last: this.newest, lacking: '' }
    const last = /^\d{1,16}$/.test(after) ? Number(after) : 0
    if (last >= this.oldest - 1 && last <= this.newest) return { last, lacking: '' }
    return { last: this.oldest - 1, lacking: this.#lacking(after) }
  }

  /** The text of what fits after an id, as much as goes at a time, and the id up to which it tells. */
  after(id: number, fits: Fits): { text: string; last: number } {
    const lost = id + 1 < this.oldest
    let text = lost ? this.#lacking(String(id)) : ''
    let last = lost ? this.oldest - 1 : id
    while (last < this.#placed && text.length < textCharacters) {
      last += 1
      const kept = this.#kept[last % this.#size]
      if (!kept) continue
      const { event, rooms = [] } = kept
      if (fits({ type: event.type, clients: clientsOf(event), rooms })) text += textOf(kept)
    }
    return { text, last }
  }

  /** Looks up the rooms of all events up to an id. */
  place(to: number): Promise<void> {
    this.#placing = this.#placing.then(() => this.#place(to))
    return this.#placing
  }

  async #place(to: number): Promise<void> {
    while (this.#placed < to) {
      const batch = this.#nextBatch(to)
      const unknown = new Set(batch.flatMap(({ event }) => clientsOf(event).filter(addr => !this.#rooms.has(addr))))
      await Promise.all([...unknown].map(addr => this.#lookUp(addr)))
      for (const kept of batch) {
        const given = 'rooms' in kept.event ? kept.event.rooms : []
        const found = clientsOf(kept.event).flatMap(addr => this.#rooms.get(addr) ?? [])
        kept.rooms = [...new Set([...given, ...found])]
      }
      this.#placed = Math.max(this.oldest - 1, batch.at(-1)?.id ?? to)
    }
  }

  /** A change of computers alone, as what was known of their rooms is no longer so; otherwise what comes before one. */
  #nextBatch(to: number): LoggedEvent[] {
    const batch: LoggedEvent[] = []
    const from = Math.max(this.#placed + 1, this.oldest)
    for (let id = from; id <= to && batch.length < placedTogether; id += 1) {
      const kept = this.#kept[id % this.#size]
      if (!kept) continue
      const changes = kept.event.type.startsWith('computer-')
      if (changes && batch.length > 0) break
      batch.push(kept)
      if (!changes) continue
      for (const addr of clientsOf(kept.event)) this.#rooms.delete(addr)
      break
    }
    return batch
  }

  async #lookUp(addr: string): Promise<void> {
    // Without its store an event still has its clients.
    const computer = await this.#store.computers.find(addr).catch(() => undefined)
    this.#rooms.set(addr, computer?.room)
  }

  #lacking(after: string): string {
    const { oldest } = this
    const event = { id: oldest - 1, time: new Date().toISOString(), type: 'events-missing', after, oldest }
    return sse(event.id, event.type, event)
  }
}

/** Only when it is read: news comes thousands at a time, and often nobody listens. */
function clientsOf(event: FleetEvent): string[] {
  if ('addr' in event) return [event.addr]
  return 'addrs' in event ? event.addrs : []
}

function textOf(kept: LoggedEvent): string {
  const { addr: _addr, addrs: _addrs, rooms: _rooms, type, ...more } = Object(kept.event)
  const { id, time, event, rooms } = kept
  const clients = clientsOf(event)
  kept.text ??= sse(id, type, { id, time: new Date(time).toISOString(), type, clients, rooms, ...more })
  return kept.text
}

const sse = (id: number, type: string, data: object) => `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`
