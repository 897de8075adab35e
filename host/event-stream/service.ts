// Server-sent events: what happens, kept for a while, for readers that come back and readers that are slow.
import { isIPv4 } from 'node:net'
import type { Store } from '../../stores/store.ts'
import { refuse } from '../refusal.ts'
import type { EventFilter, EventsService, Refusal, Request } from '../services.ts'
import { type Events, eventTypes, type FleetEvent } from '../system/events.ts'
import { EventLog, type Fits } from './event-log.ts'

export interface EventStreamDeps {
  store: Pick<Store, 'computers'>
  events: Events
  /** How many events are kept. */
  size?: number
  heartbeatMilliseconds?: number
}

export interface EventStream extends EventsService {
  /** Ends all streams. */
  close(): void
}

/** Bursts go out together, this long after their first event: readers cost little then. */
const gatherMilliseconds = 50

/** Readers that are served before others than readers have their turn. */
const servedTogether = 4

/** What proxies count as alive. A reader that has taken nothing from one to the next is gone. */
const usualHeartbeat = 15_000

/** Milliseconds after which a browser that was cut off comes back. */
const greeting = 'retry: 2000\n\n'

interface Filter {
  fits: Fits
  /** Two filters with the same key are the same. */
  key: string
}

interface Reader {
  filter: Filter
  /** The id of the last event that it has been given, or that it did not want. */
  last: number
  /** It has been given something and has not asked for more yet; since this many heartbeats. */
  holding: number | undefined
  beat: boolean
  wake(): void
  cutOff(reason: string): void
}

export function createEventStream(parts: EventStreamDeps): EventStream {
  const { store, events, size = 10_000, heartbeatMilliseconds = usualHeartbeat } = parts
  const log = new EventLog(size, store)
  const readers = new Set<Reader>()
  // Most readers want the same, and are at the same place.
  const shared = new Map<string, { text: string; last: number }>()
  let gathering: NodeJS.Timeout | undefined
  let closed = false

  const keep = (event: FleetEvent) => {
    log.add(event)
    if (readers.size > 0) gathering ??= setTimeout(() => void hand(), gatherMilliseconds)
  }
  const silence = events.on(keep, eventTypes)
  const beating = setInterval(beat, heartbeatMilliseconds).unref()

  async function hand(): Promise<void> {
    gathering = undefined
    await log.place(log.newest)
    shared.clear()
    let served = 0
    for (const reader of readers) {
      if (reader.holding !== undefined && reader.last + 1 < log.oldest) reader.cutOff('too slow for the events')
      else reader.wake()
      served += 1
      if (served % servedTogether === 0) await new Promise(setImmediate)
    }
  }

  function beat(): void {
    shared.clear()
    for (const reader of readers) {
      if (reader.holding === 1) reader.cutOff('it takes nothing')
      else if (reader.holding !== undefined) reader.holding += 1
      reader.beat = true
      reader.wake()
    }
  }

  /** The next text for a reader, '' when there is none. */
  function textFor(reader: Reader): string {
    const { last, filter, beat } = reader
    const key = `${last} ${filter.key}`
    const next = shared.get(key) ?? log.after(last, filter.fits)
    shared.set(key, next)
    reader.last = next.last
    reader.beat = false
    return beat && next.text === '' ? ': alive\n\n' : next.text
  }

  async function* follow(
    filter: Filter,
    after: string,
    { signal, disconnect: cutOff }: Caller,
  ): AsyncGenerator<string> {
    let wake = () => {}
    const { last, lacking } = log.start(after)
    const reader: Reader = { filter, last, holding: 0, beat: false, wake: () => wake(), cutOff }
    signal.addEventListener('abort', reader.wake)
    readers.add(reader)
    try {
      yield greeting + lacking
      // What came while nobody listened has not been placed yet.
      await log.place(log.newest)
      while (!closed && !signal.aborted) {
        const text = textFor(reader)
        reader.holding = text === '' ? undefined : 0
        if (text !== '') yield text
        else {
          await new Promise<void>(resolve => {
            wake = resolve
          })
        }
      }
    } finally {
      readers.delete(reader)
    }
  }

  return {
    read(filter, caller) {
      const read = readFilter(filter)
      return 'refused' in read ? read : follow(read, filter.after, caller)
    },
    close() {
      closed = true
      silence()
      clearTimeout(gathering)
      clearInterval(beating)
      for (const { wake } of readers) wake()
    },
  }
}

type Caller = Pick<Request, 'signal' | 'disconnect'>

function readFilter({ types, clients, rooms }: EventFilter): Filter | Refusal {
  const unknown = types.find(type => !eventTypes.some(one => one === type || one.startsWith(`${type}-`)))
  if (unknown !== undefined) return refuse(`?type: expected one of ${eventTypes.join(', ')}, got ${unknown}`)
  const odd = clients.find(client => !isIPv4(client))
  if (odd !== undefined) return refuse(`?client: expected an IPv4 address, got ${odd}`)
  const wrong = rooms.find(room => !/^\d{1,15}$/.test(room))
  if (wrong !== undefined) return refuse(`?room: expected digits, got ${wrong}`)
  const ids = rooms.map(Number)
  const fits: Fits = ({ type, clients: concerned, rooms: places }) =>
    (types.length === 0 || types.some(one => type === one || type.startsWith(`${one}-`))) &&
    (clients.length === 0 || clients.some(client => concerned.includes(client))) &&
    (ids.length === 0 || ids.some(id => places.includes(id)))
  return { fits, key: JSON.stringify([types, clients, rooms]) }
}
