// Estimates how much memory an event needs.
import type { FleetEvent } from '../system/events.ts'

/** Bytes of an event with short texts, and of its own text for readers. */
const eventBytes = 500
/** Bytes of an address or computer in a list, and of its text for readers. */
const elementBytes = 100
/** Bytes of a character: one or two in the event, and as many in its text for readers. */
const characterBytes = 4

/** The memory of an event and of its text for readers. Much faster than with `Object.values`. */
export function estimateBytes(event: FleetEvent): number {
  // Written out, as these come thousands at a time.
  if (event.type === 'client-state') {
    const { type, addr, state, status } = event
    return eventBytes + characterBytes * (type.length + addr.length + state.length + status.length)
  }
  if (event.type === 'job-part' && event.reason === undefined) {
    const { type, addr, command, state } = event
    return eventBytes + characterBytes * (type.length + addr.length + command.length + state.length)
  }
  let bytes = eventBytes
  for (const key in event) {
    // `as`: TypeScript takes the keys of a loop for any text.
    const value: unknown = event[key as keyof FleetEvent]
    if (typeof value === 'string') bytes += value.length * characterBytes
    else if (Array.isArray(value)) bytes += value.length * elementBytes
  }
  return bytes
}
