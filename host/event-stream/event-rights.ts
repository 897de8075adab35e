// What a reader whose rights are limited gets of an event: only the computers and rooms within the limits.
import { fleetEvents } from '../contract/fleet-events.ts'
import type { Rights } from '../contract/services.ts'
import type { FleetEvent } from '../system/events.ts'

/** An event as one reader sees it, with the rooms that it concerns. */
export interface EventView {
  event: FleetEvent
  rooms: readonly number[]
}

/** `rooms` are those of the time of the event. Undefined when nothing of it is within the limits. */
export function limitEvent({ event, rooms }: EventView, rights: Rights): EventView | undefined {
  const ownRooms = rooms.filter(id => rights.reachesRoom(id))
  // A computer that came or left since then was not, or is not, one of the reader's.
  if ('addr' in event)
    return ownRooms.length > 0 && rights.hasClient(event.addr) ? { event, rooms: ownRooms } : undefined
  const limited = limitOther(event, ownRooms, rights)
  return limited && { event: limited, rooms: ownRooms }
}

/** An event that has no `addr`. */
function limitOther(event: FleetEvent, ownRooms: readonly number[], rights: Rights): FleetEvent | undefined {
  // A newer host of the fleet may have types that this one does not know.
  switch (fleetEvents[event.type]?.readers) {
    case 'everyone':
      return event
    case 'maker':
      return 'maker' in event && event.maker === rights.reference ? event : undefined
    case 'of list':
      return limitList(event, ownRooms, rights)
    default:
      return undefined
  }
}

function limitList(event: FleetEvent, ownRooms: readonly number[], rights: Rights): FleetEvent | undefined {
  if ('computers' in event) {
    const computers = event.computers.filter(({ ip, room }) => rights.hasRoom(room) || rights.hasClient(ip))
    return computers.length > 0 ? { ...event, computers } : undefined
  }
  if (!('addrs' in event)) return undefined
  // All computers of one event move from one room to another one: readers of both see it.
  const isMove = event.type === 'computer-changed' && (event.room !== undefined || event.addrs.length === 1)
  if (isMove && ownRooms.some(id => rights.hasRoom(id))) return event
  const addrs = event.addrs.filter(addr => rights.hasClient(addr))
  if (addrs.length === 0) return undefined
  // The counts are those of all computers.
  const hasOtherCounts = event.type === 'job-finished' && addrs.length < event.addrs.length
  return hasOtherCounts ? { ...event, addrs, counts: undefined } : { ...event, addrs }
}

/** Who made each schedule, kept up to date by events: the event of a removed schedule does not say it. */
export class ScheduleMakers {
  readonly #makers: Map<number, string>

  constructor(schedules: readonly { id: number; by: string }[]) {
    this.#makers = new Map(schedules.map(({ id, by }) => [id, by]))
  }

  /** The event of a schedule with its maker; any other event as it is. */
  complete(event: FleetEvent): FleetEvent {
    // First, as most events are of this kind.
    if ('addr' in event || !('schedule' in event)) return event
    const { schedule, maker = this.#makers.get(schedule) } = event
    if (event.type === 'schedule-removed' || maker === undefined) this.#makers.delete(schedule)
    else this.#makers.set(schedule, maker)
    return { ...event, maker }
  }
}
