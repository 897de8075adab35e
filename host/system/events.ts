// In-process event bus: lower layers emit, higher layers subscribe.
import type { FleetEvent } from '../contract/fleet-events.ts'
import type { Log } from '../log/log.ts'

export type { FleetEvent } from '../contract/fleet-events.ts'

export interface Events {
  /** Calls all listeners before it returns; an error that a listener throws is logged. */
  emit(event: FleetEvent): void
  /** As `emit`, for an event of another host of the fleet: listeners get `true` as their second argument. */
  relay(event: FleetEvent): void
  /**
   * Subscribes to `types`, or to all events. Naming types saves time: some events come thousands at a time. Returns the
   * function that unsubscribes.
   */
  on(listener: Listener, types?: readonly FleetEvent['type'][]): () => void
}

type Listener = (event: FleetEvent, isRelayed: boolean) => void

export function createEvents(log: Log): Events {
  const listenersOfAll = new Set<Listener>()
  const listenersByType = new Map<string, Set<Listener>>()

  function emitTo(listeners: Set<Listener>, event: FleetEvent, isRelayed: boolean): void {
    for (const listener of listeners) {
      try {
        listener(event, isRelayed)
      } catch (error) {
        log.error('events', `a listener of ${event.type} failed`, error)
      }
    }
  }

  function listenersOf(type: string): Set<Listener> {
    const listeners = listenersByType.get(type) ?? new Set()
    listenersByType.set(type, listeners)
    return listeners
  }

  function emitToAll(event: FleetEvent, isRelayed: boolean): void {
    const listeners = listenersByType.get(event.type)
    if (listeners) emitTo(listeners, event, isRelayed)
    emitTo(listenersOfAll, event, isRelayed)
  }

  return {
    emit: event => emitToAll(event, false),
    relay: event => emitToAll(event, true),
    on(listener, types) {
      const sets = types?.map(listenersOf) ?? [listenersOfAll]
      for (const listeners of sets) listeners.add(listener)
      return () => {
        for (const listeners of sets) listeners.delete(listener)
      }
    },
  }
}
