// Hands the events of the stream to the parts of the page that follow them.
import type { FleetEvent } from '../api/answers.ts'
import { applyEvent, loadFleet } from './snapshot.ts'

type Listener = (event: FleetEvent) => void

const listeners = new Set<Listener>()
const reloads = new Set<() => void>()

/** Returns the function that unsubscribes. */
export function onEvents(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** `reload` is called when events may be missing: what was built from them has to be read again. */
export function onMissingEvents(reload: () => void): () => void {
  reloads.add(reload)
  return () => reloads.delete(reload)
}

export function startEvents(isComplete: boolean): void {
  if (isComplete) return
  void loadFleet()
  for (const reload of [...reloads]) reload()
}

export function receiveEvent(event: FleetEvent): void {
  applyEvent(event)
  for (const listener of [...listeners]) listener(event)
}
