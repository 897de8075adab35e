// The leaf through which news travels up: who has it to tell emits, whoever wants to know listens.
import type { Log } from './log.ts'

export type FleetEvent =
  | { type: 'client-connected'; addr: string }
  | { type: 'client-gone'; addr: string }
  /** It has been asked for a refresh, after it connected or later, and that has ended. */
  | { type: 'client-ready'; addr: string }
  /** How callers see it: `state` as in `GET /clients`, BSY while a command runs. */
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
  | { type: 'wake-sent' | 'wake-answered' | 'wake-timed-out'; addr: string }
  /** Of a job that is stored; its parts that have ended already are told next. */
  | { type: 'job-created'; job: number; name: string; origin: string; addrs: string[] }
  | { type: 'job-part'; job: number; addr: string; command: string; state: string; reason?: string }
  /** `counts`: how many parts ended how, of those that this daemon has seen. */
  | { type: 'job-finished'; job: number; name: string; counts: Record<string, number> }
  /** `rooms`: those that are known without looking them up. */
  | { type: 'computer-added' | 'computer-changed' | 'computer-removed'; addrs: string[]; rooms: number[] }
  | { type: 'image-added' | 'image-changed' | 'image-removed'; image: number; name?: string }
  | { type: 'schedule-added' | 'schedule-changed' | 'schedule-removed'; schedule: number; name?: string }
  | { type: 'module-loaded'; file: string; command: string }
  | { type: 'module-failed'; file: string; reason: string }
  | { type: 'module-removed'; file: string }

/** What the outside is told. Commands on agents stay inside: parts of jobs and states of clients say the same. */
export const eventTypes = [
  ...(['client-connected', 'client-gone', 'client-ready', 'client-state'] as const),
  ...(['session-login', 'session-logout'] as const),
  ...(['wake-sent', 'wake-answered', 'wake-timed-out'] as const),
  ...(['job-created', 'job-part', 'job-finished'] as const),
  ...(['computer-added', 'computer-changed', 'computer-removed'] as const),
  ...(['image-added', 'image-changed', 'image-removed'] as const),
  ...(['schedule-added', 'schedule-changed', 'schedule-removed'] as const),
  ...(['module-loaded', 'module-failed', 'module-removed'] as const),
] satisfies FleetEvent['type'][]

export interface Events {
  emit(event: FleetEvent): void
  /**
   * Waits for nobody: a listener that throws is logged. With `types` other events cost it nothing; some are told
   * thousands of times in a moment. Gives back the way to stop listening.
   */
  on(listener: Listener, types?: readonly FleetEvent['type'][]): () => void
}

type Listener = (event: FleetEvent) => void

export function createEvents(log: Log): Events {
  const ofAll = new Set<Listener>()
  const byType = new Map<string, Set<Listener>>()

  function tell(listeners: Set<Listener>, event: FleetEvent): void {
    for (const listener of listeners) {
      try {
        listener(event)
      } catch (error) {
        log.error('events', `a listener of ${event.type} failed`, error)
      }
    }
  }

  function ofType(type: string): Set<Listener> {
    const listeners = byType.get(type) ?? new Set()
    byType.set(type, listeners)
    return listeners
  }

  return {
    emit(event) {
      const listeners = byType.get(event.type)
      if (listeners) tell(listeners, event)
      tell(ofAll, event)
    },
    on(listener, types) {
      const sets = types?.map(ofType) ?? [ofAll]
      for (const listeners of sets) listeners.add(listener)
      return () => {
        for (const listeners of sets) listeners.delete(listener)
      }
    },
  }
}
