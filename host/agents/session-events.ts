// Logins and logouts of one agent: a limited number per second, and which of them repeat the one before.

import type { SessionEvent } from './connection/reply-body.ts'
import { LimitedEvents } from './limited-events.ts'

/** More than people cause on one computer. */
const eventsPerSecond = 5

/** `isRepeated`: it equals the one that was passed on before it. */
export function limitSessions(
  onEvent: (event: SessionEvent, isRepeated: boolean) => void,
): LimitedEvents<SessionEvent> {
  let previous: SessionEvent | undefined
  return new LimitedEvents(eventsPerSecond, event => {
    const { action, user } = previous ?? {}
    previous = event
    onEvent(event, event.action === action && event.user === user)
  })
}
