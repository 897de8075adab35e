// The events of all hosts in their order: reads them, and hands them to listeners of this host.
import { finishedEvent } from '../../stores/rules/recorded-events.ts'
import type { ClusterEvent, EndedMember, EndedParts, Publications, Published } from '../../stores/store.ts'
import { relayedTypes } from '../contract/fleet-events.ts'
import type { Log } from '../log/log.ts'
import type { FleetEvent } from '../system/events.ts'
import type { ClusterFeed, FeedEvent } from './cluster.ts'
import { ListenerSet } from './listener-set.ts'
import type { RemoteAgents } from './remote-agents.ts'

type Listener = (event: FeedEvent) => void

/** A wake-up that is read later, after an outage or a pause, is over: who was to be woken may have been switched off since. */
const wakeMilliseconds = 60_000

/** Whether departments of this host must know it: such events are relayed to its own bus. */
export const mustRelay = ({ event: { type }, time }: FeedEvent) =>
  relayedTypes.has(type) && (type !== 'wake-sent' || Date.now() - time < wakeMilliseconds)

/** What a host has published; newer daemons may have types that this one does not know. */
export const toFeedEvent = ({ id, time, host, event }: ClusterEvent): FeedEvent => ({
  id,
  time,
  host,
  // `as`: the bus of a host has emitted it, and JSON keeps its values.
  event: event as FleetEvent,
})

export class Feed implements ClusterFeed {
  readonly #listeners = new Map<Listener, ReadonlySet<string> | undefined>()
  readonly #gapListeners: ListenerSet
  readonly #log: Log
  readonly #name: string
  #history: FeedEvent[] = []
  /** The id of the newest event; undefined before the first one. */
  #newest: number | undefined

  /** `name`: of this host. */
  constructor(log: Log, name: string) {
    this.#log = log
    this.#name = name
    this.#gapListeners = new ListenerSet(log, 'lost events')
  }

  on(listener: Listener, types?: readonly FleetEvent['type'][]): () => void {
    this.#listeners.set(listener, types && new Set(types))
    return () => void this.#listeners.delete(listener)
  }

  onRemote(listener: Listener, types?: readonly FleetEvent['type'][]): () => void {
    return this.on(event => event.host !== this.#name && listener(event), types)
  }

  /** Calls the listener when events were lost, before the first one after them. */
  onGap(listener: () => void): void {
    this.#gapListeners.add(listener)
  }

  takeHistory(): readonly FeedEvent[] {
    const history = this.#history
    this.#history = []
    return history
  }

  /** Adds an event from before the start. */
  preload(event: FeedEvent): void {
    this.#newest = event.id
    this.#history.push(event)
  }

  emit(event: FeedEvent): void {
    const isGap = this.#newest !== undefined && event.id !== this.#newest + 1
    this.#newest = event.id
    if (isGap) {
      this.#log.warn('cluster', 'events of the fleet may have been lost, readers get events-missing')
      this.#gapListeners.call()
    }
    for (const [listener, types] of this.#listeners) {
      if (types && !types.has(event.event.type)) continue
      try {
        listener(event)
      } catch (error) {
        this.#log.error('cluster', `a listener of ${event.event.type} failed`, error)
      }
    }
  }
}

interface FeedReaderDeps {
  /** The name of this host, whose presence is not read. */
  name: string
  publications: Pick<Publications, 'read' | 'newest'>
  remote: Pick<RemoteAgents, 'apply' | 'clear'>
  onEvent(event: ClusterEvent): void
}

/** Events of one read. */
const pageEvents = 1000

export class FeedReader {
  readonly #deps: FeedReaderDeps
  #version = 0
  /** The id of the last event. */
  #event = 0
  #mustClear = false
  #running: Promise<void> = Promise.resolve()
  /** The read that has not begun yet: it also serves those who ask for one now. */
  #next: Promise<void> | undefined

  constructor(deps: FeedReaderDeps) {
    this.#deps = deps
  }

  /** Reads the presence and the newest events, which go to `onEvent` as those after them. */
  async start(history: number): Promise<void> {
    const { first } = await this.#deps.publications.newest(history)
    this.#event = Math.max(0, first - 1)
    await this.readAll()
  }

  /** Reads everything that was published before the call; rejects when it cannot. */
  readAll(): Promise<void> {
    if (!this.#next) {
      const next = this.#running
        .catch(() => {})
        .then(() => {
          this.#next = undefined
          return this.#read()
        })
      this.#next = next
      this.#running = next
    }
    return this.#next
  }

  /** The next read begins with the whole presence again; with `forget` in place of what is known of it. */
  rereadPresence({ forget }: { forget: boolean }): void {
    this.#version = 0
    this.#mustClear ||= forget
  }

  async #read(): Promise<void> {
    const { name, publications, remote, onEvent } = this.#deps
    for (;;) {
      const version = this.#version
      const result = await publications.read({ version, event: this.#event, limit: pageEvents, except: name })
      // The database has lost the presence, and its versions with it; or it is to be read again.
      const isOutdated = result.version < version || this.#version !== version
      if (this.#mustClear && version === 0) {
        this.#mustClear = false
        remote.clear()
      }
      remote.apply(result.agents)
      this.#version = isOutdated ? 0 : result.version
      for (const event of result.events) {
        this.#event = event.id
        onEvent(event)
      }
      if (result.events.length < pageEvents && !isOutdated) return
    }
  }
}

export function eventsOfLeaving(host: string, { agents, ended }: EndedMember): Published['events'] {
  const time = Date.now()
  const events: FleetEvent[] = [
    { type: 'host-gone', host },
    ...agents.map((addr): FleetEvent => ({ type: 'client-gone', addr })),
    ...ended.flatMap(eventsOfEnded),
  ]
  return events.map(event => ({ time, event }))
}

function eventsOfEnded({ job: { id: job, steps }, parts, finished }: EndedParts): FleetEvent[] {
  const events = parts.map(({ client: addr, step, state, reason }): FleetEvent => {
    const command = steps[step]?.command ?? ''
    return { type: 'job-part', job, step, addr, command, state, ...(reason && { reason }) }
  })
  return finished ? [...events, finishedEvent(finished)] : events
}
