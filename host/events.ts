// The leaf through which news travels up: who has it to tell emits, whoever wants to know listens.
import type { Log } from './log.ts'

export type FleetEvent =
  | { type: 'client-connected'; addr: string }
  | { type: 'client-gone'; addr: string }
  /** It has been asked for a refresh, after it connected or later, and that has ended. */
  | { type: 'client-ready'; addr: string }
  | { type: 'command-sent'; addr: string; command: string }
  | { type: 'command-ended'; addr: string; command: string; result: 'success' | 'failure'; reason?: string }
  | { type: 'module-loaded'; file: string; command: string }
  | { type: 'module-failed'; file: string; reason: string }
  | { type: 'module-removed'; file: string }

export interface Events {
  emit(event: FleetEvent): void
  /** Resolves nothing and waits for nobody: a listener that throws is logged. Gives back the way to stop listening. */
  on(listener: (event: FleetEvent) => void): () => void
}

export function createEvents(log: Log): Events {
  const listeners = new Set<(event: FleetEvent) => void>()
  return {
    emit(event) {
      for (const listener of listeners) {
        try {
          listener(event)
        } catch (error) {
          log.error('events', `a listener of ${event.type} failed`, error)
        }
      }
    },
    on(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
