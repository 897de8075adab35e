// What a reader whose rights are limited gets of an event: only the computers and rooms within the limits.
import type { Rights } from '../contract/services.ts'
import type { FleetEvent } from '../system/events.ts'

/** An event as one reader sees it, with the rooms that it concerns. */
export interface EventView {
  event: FleetEvent
  rooms: readonly number[]
}

/** `rooms` are those of the time of the event. Undefined when nothing of it is within the limits. */
export function limitEvent({ event, rooms }: EventView, rights: Rights): EventView | undefined {
  const ownRooms = rooms.filter(id => rights.hasRoom(id))
  // A computer that came or left since then was not, or is not, one of the reader's.
  if ('addr' in event)
    return ownRooms.length > 0 && rights.hasClient(event.addr) ? { event, rooms: ownRooms } : undefined
  const limited = limitList(event, ownRooms, rights)
  return limited && { event: limited, rooms: ownRooms }
}

/** Types that are not here concern no computer, as those of command files do. */
function limitList(event: FleetEvent, ownRooms: readonly number[], rights: Rights): FleetEvent | undefined {
  switch (event.type) {
    case 'image-added':
    case 'image-changed':
    case 'image-removed':
      return event
    case 'schedule-added':
    case 'schedule-changed':
    case 'schedule-removed':
      return event.maker === rights.reference ? event : undefined
    case 'computer-added':
    case 'computer-removed': {
      const computers = event.computers.filter(({ room }) => rights.hasRoom(room))
      return computers.length > 0 ? { ...event, computers } : undefined
    }
    case 'computer-changed':
      // All computers of one event move from one room to another one: readers of both see it.
      if (event.room !== undefined || event.addrs.length === 1) return ownRooms.length > 0 ? event : undefined
      return withAddresses(event, rights)
    case 'job-created':
      return withAddresses(event, rights)
    case 'job-finished': {
      const limited = withAddresses(event, rights)
      if (!limited || limited.addrs.length === event.addrs.length) return limited
      // The counts are those of all computers.
      return { ...limited, counts: undefined }
    }
    default:
      return undefined
  }
}

function withAddresses<Event extends FleetEvent & { addrs: string[] }>(
  event: Event,
  rights: Rights,
): Event | undefined {
  const addrs = event.addrs.filter(addr => rights.hasClient(addr))
  return addrs.length > 0 ? { ...event, addrs } : undefined
}
