// The events of all hosts in their order, for listeners of this host.
import type { ClusterEvent } from '../../stores/store.ts'
import { relayedTypes } from '../contract/fleet-events.ts'
import type { Log } from '../log/log.ts'
import type { FleetEvent } from '../system/events.ts'
import type { FeedEvent, FleetFeed } from './cluster.ts'
import { ListenerSet } from './listener-set.ts'

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

export class Feed implements FleetFeed {
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
