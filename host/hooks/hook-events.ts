// The events of hooks as their authors get them, and which of them the store keeps.
import { internalKeys } from '../contract/fleet-events.ts'
import type { HookEvent } from '../contract/hook.ts'
import { clientsOf } from '../event-stream/room-map.ts'
import { storedTypes } from '../store/store-events.ts'
import type { Batch, WaitingEvent } from './hook-queue.ts'

/** A write of the store adds events of these types in its own step. */
export const isStoredType = (type: string): boolean => storedTypes.has(type)

const iso = (time: number) => new Date(time).toISOString()

/** New objects for each run: a hook may change them. */
export function eventsOf({ gap, events }: Batch): HookEvent[] {
  const missing: HookEvent[] = gap
    ? [{ type: 'events-missing', time: iso(gap.until), since: iso(gap.since), until: iso(gap.until) }]
    : []
  return [...missing, ...events.map(toHookEvent)]
}

function toHookEvent({ time, event, host }: WaitingEvent): HookEvent {
  const shown: Record<string, unknown> = { type: event.type, time: iso(time), clients: [...clientsOf(event)] }
  if (host !== undefined) shown.host = host
  for (const [key, value] of Object.entries(event)) {
    if (Object.hasOwn(internalKeys, key) || value === undefined) continue
    shown[key] = value instanceof Object ? structuredClone(value) : value
  }
  // `as`: these are the keys of the type, whichever it is.
  return shown as unknown as HookEvent
}
