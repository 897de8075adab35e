// Hands the events of the stream to the parts of the page that follow them.
import type { StreamEvent } from '../../../contract/fleet-events.ts'
import { followFailures, loadFailures } from './failures.ts'
import { dismiss } from './notices.ts'
import { applyEvent, loadLab } from './snapshot.ts'

type Listener = (event: StreamEvent) => void

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

/** What had no response. */
const unread = new Set<() => void>()

/** `read` is called once, when the daemon is there again: its request had no response. */
export function readAgain(read: () => void): void {
  unread.add(read)
}

/** For what is not shown any more. */
export function dropRead(read: () => void): void {
  unread.delete(read)
}

/** To be called when the daemon has given a sign of life. */
export function repeatReads(): void {
  const reads = [...unread]
  unread.clear()
  for (const read of reads) read()
}

export function startEvents(isComplete: boolean): void {
  repeatReads()
  if (isComplete) return
  void loadFailures()
  // The computers come first: on a slow line what else there is to be read would take theirs.
  void loadLab().finally(() => {
    for (const reload of [...reloads]) reload()
  })
}

export function receiveEvent(event: StreamEvent): void {
  applyEvent(event)
  followFailures(event)
  if (event.type === 'change-undone') dismiss(event.change, 'undo')
  for (const listener of [...listeners]) listener(event)
}
