// Sends a refresh to clients that have been adopted, so that their inventory is stored: at once, or when they are idle.
import type { Events, FleetEvent } from '../system/events.ts'

export interface RefreshDeps {
  events: Events
  /** Sends the command for new connections. */
  send(addr: string): 'sent' | 'busy' | 'not connected'
}

/** Returns the function that refreshes clients. */
export function createRefresh({ events, send }: RefreshDeps): (addrs: readonly string[]) => void {
  const waiting = new Set<string>()

  function refresh(addr: string): void {
    if (send(addr) === 'busy') waiting.add(addr)
    // A new connection is sent the command anyway.
    else waiting.delete(addr)
  }

  function retry(event: FleetEvent): void {
    if (!('addr' in event) || !waiting.has(event.addr)) return
    // When the others that wait for the end of the command have been notified.
    setImmediate(() => refresh(event.addr))
  }

  events.on(retry, ['command-ended', 'client-gone'])
  return addrs => {
    for (const addr of addrs) refresh(addr)
  }
}
