// The readers of the event stream: each gets the events of its filter, as fast as it takes them.
import type { FeedEvent } from '../cluster/cluster.ts'
import type { Request, Rights } from '../contract/services.ts'
import type { FleetEvent } from '../system/events.ts'
import { forEachChunk } from '../system/time-slices.ts'
import type { ParsedFilter } from './caller-filter.ts'
import { Coalescer } from './coalescer.ts'
import { type ClusterPosition, EventLog } from './event-log.ts'
import type { ScheduleMakers } from './event-rights.ts'
import { withHeartbeat } from './event-text.ts'
import type { RoomMap } from './room-map.ts'

export interface BroadcastDeps {
  limits: { readonly events_bytes: number }
  /** The present rights of a reader; undefined when they are gone. */
  resolveRights(reference: string): Promise<Rights | undefined>
  /** Returns whether the session that the request came with, if any, still exists. */
  followSession(request: SessionRequest): () => boolean
  /** The events are those of all hosts, with their ids. */
  isOfCluster?: boolean
  /** Most events in the log. */
  size?: number
  heartbeatMilliseconds?: number
}

/** Events are sent to the readers this long after the first one, together: bursts cost little then. */
const gatherMilliseconds = 50

/** Readers that are served in one tick. */
const readersPerTick = 4

/** Characters that wait for one reader outside the log; about 4,000 events. */
const backlogCharacters = 1024 * 1024

/** Interval that proxies accept as a sign of life. A reader that takes nothing for two of them is disconnected. */
const defaultHeartbeatMilliseconds = 15_000

/** Milliseconds after which a browser reconnects. */
const greeting = 'retry: 2000\n\n'

interface Reader {
  filter: ParsedFilter
  /** Those of the last time that it got events. */
  rights: Rights
  /** The last event that it has received, that is held back, or that its filter left out. */
  last: number
  /** With a period. */
  coalescer: Coalescer | undefined
  hasSession(): boolean
  /** Texts up to the event `last` that it has not received. */
  backlog: string[]
  /** Heartbeats since it was given text, while it has not asked for more; undefined while it waits for events. */
  blockedHeartbeats: number | undefined
  needsHeartbeat: boolean
  wake(): void
  disconnect(reason: string): void
}

type SessionRequest = Pick<Request, 'header' | 'isSecure'>
type Caller = SessionRequest & Pick<Request, 'signal' | 'disconnect' | 'rights'>

export class Broadcast {
  readonly #log: EventLog
  readonly #readers = new Set<Reader>()
  /** Readers with the same filter at the same event share their next chunk. */
  readonly #chunks = new Map<string, { text: string; last: number }>()
  /** The id of the last event that readers may be sent; later ones are still being gathered. */
  #released: number
  #gathering: NodeJS.Timeout | undefined
  #closed = false
  readonly #heartbeat: NodeJS.Timeout
  readonly #resolveRights: BroadcastDeps['resolveRights']
  readonly #followSession: BroadcastDeps['followSession']
  readonly #makers: ScheduleMakers
  readonly newest = () => this.#log.newest

  constructor(deps: BroadcastDeps, rooms: RoomMap, makers: ScheduleMakers) {
    const { isOfCluster = false, limits, size = 10_000, heartbeatMilliseconds = defaultHeartbeatMilliseconds } = deps
    this.#resolveRights = deps.resolveRights
    this.#followSession = deps.followSession
    this.#makers = makers
    this.#log = new EventLog({ rooms, size, limits, isOfCluster, beforeDrop: () => this.#fillBacklogs() })
    this.#released = this.#log.newest
    this.#heartbeat = setInterval(() => this.#sendHeartbeats(heartbeatMilliseconds), heartbeatMilliseconds).unref()
  }

  async *follow(filter: ParsedFilter, lastEventId: string, caller: Caller): AsyncGenerator<string> {
    const { signal, disconnect, rights } = caller
    let wake = () => {}
    const { last, missing } = this.#log.start(lastEventId)
    const reader: Reader = {
      filter,
      rights,
      hasSession: this.#followSession(caller),
      last,
      coalescer: filter.period > 0 ? new Coalescer(this.#log, filter, () => wake()) : undefined,
      backlog: [],
      blockedHeartbeats: 0,
      needsHeartbeat: false,
      wake: () => wake(),
      disconnect,
    }
    signal.addEventListener('abort', reader.wake)
    this.#readers.add(reader)
    try {
      yield greeting + missing
      // Events are gathered only while there are readers.
      this.#released = this.#log.newest
      while (await this.#mayRead(reader, signal)) {
        const text = this.#nextText(reader)
        reader.blockedHeartbeats = text === '' ? undefined : 0
        if (text !== '') yield text
        else {
          await new Promise<void>(resolve => {
            wake = resolve
          })
        }
      }
    } finally {
      this.#readers.delete(reader)
      reader.coalescer?.close()
    }
  }

  /** Asks for the rights and the session again, as they may be gone or changed. */
  async #mayRead(reader: Reader, signal: AbortSignal): Promise<boolean> {
    const rights = await this.#resolveRights(reader.rights.reference)
    const mayRead = rights !== undefined && reader.hasSession()
    if (mayRead) reader.rights = rights
    else reader.disconnect(rights ? 'the session of its reader has ended' : 'the rights of its reader are gone')
    return mayRead && !this.#closed && !signal.aborted
  }

  /** `position`: of an event of all hosts. */
  add(event: FleetEvent, position?: ClusterPosition): void {
    this.#log.add(this.#makers.complete(event), position)
    if (this.#readers.size > 0) this.#gathering ??= setTimeout(() => void this.#sendGathered(), gatherMilliseconds)
  }

  /** Adds events of all hosts from before the start; `rooms` changes with them. */
  addHistory(history: readonly FeedEvent[], rooms: RoomMap): void {
    for (const each of history) this.#log.add(each.event, each, rooms)
    this.#released = this.#log.newest
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#gathering)
    clearInterval(this.#heartbeat)
    for (const { wake } of this.#readers) wake()
  }

  async #sendGathered(): Promise<void> {
    this.#gathering = undefined
    this.#released = this.#log.newest
    this.#chunks.clear()
    await forEachChunk([...this.#readers], readersPerTick, readers => {
      for (const reader of readers) this.#serve(reader)
    })
  }

  #serve(reader: Reader): void {
    // It may have left while others were served.
    if (!this.#readers.has(reader)) return
    const isBehind = reader.last + 1 < this.#log.oldest
    const isTooSlow = reader.blockedHeartbeats !== undefined && isBehind
    if (isTooSlow) reader.disconnect('reader too slow')
    else reader.wake()
  }

  #sendHeartbeats(interval: number): void {
    this.#chunks.clear()
    for (const reader of this.#readers) {
      if (reader.blockedHeartbeats === 1) reader.disconnect(`reader idle for ${(2 * interval) / 1000} s`)
      else if (reader.blockedHeartbeats !== undefined) reader.blockedHeartbeats += 1
      reader.needsHeartbeat = true
      reader.wake()
    }
  }

  /** The next text for a reader, '' when there is none. */
  #nextText(reader: Reader): string {
    const { needsHeartbeat } = reader
    reader.needsHeartbeat = false
    const text = reader.backlog.shift() ?? this.#nextChunk(reader)
    return needsHeartbeat ? withHeartbeat(text, reader.filter) : text
  }

  #nextChunk(reader: Reader): string {
    const { last, filter, rights, coalescer } = reader
    const chunk =
      coalescer?.chunk(last, this.#released, rights) ??
      (rights.isLimited
        ? this.#log.chunk(last, this.#released, filter.matches, rights)
        : this.#commonChunk(last, filter))
    reader.last = chunk.last
    return chunk.text
  }

  #commonChunk(last: number, { key, matches }: ParsedFilter): { text: string; last: number } {
    const chunkKey = `${last} ${key}`
    const chunk = this.#chunks.get(chunkKey) ?? this.#log.chunk(last, this.#released, matches)
    this.#chunks.set(chunkKey, chunk)
    return chunk
  }

  /** Takes from the log what readers need of it, so that many events drop none that other filters select. */
  #fillBacklogs(): void {
    this.#released = this.#log.newest
    this.#chunks.clear()
    for (const reader of this.#readers) {
      let characters = reader.backlog.reduce((sum, text) => sum + text.length, 0)
      while (reader.last < this.#released && characters < backlogCharacters) {
        const text = this.#nextChunk(reader)
        if (text !== '') reader.backlog.push(text)
        characters += text.length
      }
    }
  }
}
