// In-process event bus: lower layers emit, higher layers subscribe.
import type { Hello } from '../contract/services.ts'
import type { Log } from '../log/log.ts'

export type FleetEvent =
  | { type: 'client-connected'; addr: string }
  /** `replaced`: closed here, because the client has connected to another host of the fleet. */
  | { type: 'client-gone'; addr: string; replaced?: true }
  /** A new connection has closed the older one of its address; `client-connected` follows. */
  | { type: 'client-replaced'; addr: string }
  /** A connection was closed at once: the first one of its address within a minute. */
  | { type: 'client-refused'; addr: string; reason: string }
  /** A wrong token or a failed login: the first one of that caller's address within a minute. */
  | { type: 'auth-failed'; addr: string }
  /** A client without a computer record has connected, or its agent has introduced it. */
  | { type: 'client-pending'; addr: string; name?: string }
  /** A client that `agents.adopt` should have given a record gets none: the first time of its address within a minute. */
  | { type: 'adoption-refused'; addr: string; reason: string }
  /** An agent has introduced its computer, or updates that. */
  | { type: 'client-hello'; addr: string; hello: Hello }
  /** The computer's hardware address on the network is `mac`, in its record `recorded_mac`: 12 hex digits each. */
  | { type: 'mac-differs'; addr: string; mac: string; recorded_mac: string }
  /** A refresh of the client has ended: the one after it connected, or a later one. */
  | { type: 'client-ready'; addr: string }
  /** `state` as in `GET /clients`: BSY while a command runs. */
  | { type: 'client-state'; addr: string; state: string; status: string }
  | { type: 'session-login' | 'session-logout'; addr: string; user?: string }
  | { type: 'command-sent'; addr: string; command: string }
  /** `overdue`: its deadline was missed. */
  | {
      type: 'command-ended'
      addr: string
      command: string
      result: 'success' | 'failure'
      reason?: string
      overdue?: true
    }
  /** `kind`: how the packet is sent, for other hosts of the fleet, which send it too. */
  | { type: 'wake-sent'; addr: string; kind?: string }
  | { type: 'wake-answered' | 'wake-timed-out'; addr: string }
  /** The job is stored. Parts that ended before that have their `job-part` events right after this one. */
  | { type: 'job-created'; job: number; name: string; origin: string; by: string; addrs: string[] }
  | { type: 'job-part'; job: number; addr: string; command: string; state: string; reason?: string }
  /** Of a running part that copies an image: `rate` in bytes per second, `remaining` in seconds. */
  | {
      type: 'job-progress'
      job: number
      /** Index in the job's steps. */
      step: number
      addr: string
      command: string
      percent: number
      rate?: number
      remaining?: number
    }
  /**
   * `counts`: the number of parts by final state, of those that this daemon has seen; absent for a reader who sees only
   * some of the computers.
   */
  | { type: 'job-finished'; job: number; name: string; by: string; counts?: Record<string, number>; addrs: string[] }
  /** Each computer with its room: the new one, or the one that it was in. */
  | { type: 'computer-added' | 'computer-removed'; computers: { ip: string; room: number }[] }
  /** `ip` and `room` are the new ones, absent when they did not change. */
  | { type: 'computer-changed'; addrs: string[]; ip?: string; room?: number }
  /** Clients of other hosts of the fleet have got a record. */
  | { type: 'clients-adopted'; addrs: string[] }
  /** Values that boot files have, of a room or a repository: other hosts of the fleet write theirs. */
  | { type: 'room-changed'; room: number }
  | { type: 'repository-changed'; repository: number }
  | { type: 'image-added' | 'image-changed' | 'image-removed'; image: number; name?: string }
  /** `maker`: `by` of the schedule. */
  | {
      type: 'schedule-added' | 'schedule-changed' | 'schedule-removed'
      schedule: number
      name?: string
      maker?: string
    }
  /** Tokens or users: other hosts of the fleet read them again. */
  | { type: 'accounts-changed' }
  /** A host of the fleet has begun, or has come back; or it has ended, or was not heard of any more. */
  | { type: 'host-joined' | 'host-gone'; host: string }
  | { type: 'module-loaded'; file: string; command: string }
  | { type: 'module-failed'; file: string; reason: string }
  | { type: 'module-removed'; file: string }

/**
 * The types that `GET /events` sends. `command-sent` and `command-ended` stay internal: job parts and client states
 * carry the same information; so do `client-hello`, which not every reader may see, and what only hosts of a fleet need.
 */
export const eventTypes = [
  'client-connected',
  'client-gone',
  'client-replaced',
  'client-refused',
  'client-pending',
  'adoption-refused',
  'mac-differs',
  'auth-failed',
  'client-ready',
  'client-state',
  'session-login',
  'session-logout',
  'wake-sent',
  'wake-answered',
  'wake-timed-out',
  'job-created',
  'job-part',
  'job-progress',
  'job-finished',
  'computer-added',
  'computer-changed',
  'computer-removed',
  'image-added',
  'image-changed',
  'image-removed',
  'schedule-added',
  'schedule-changed',
  'schedule-removed',
  'host-joined',
  'host-gone',
  'module-loaded',
  'module-failed',
  'module-removed',
] as const satisfies FleetEvent['type'][]

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
