// Server-sent events: a log of recent events for replay, and the readers that follow it.
import type { EventsService } from '../services.ts'
import { Broadcast, type EventStreamDeps } from './broadcast.ts'
import { parseFilter } from './event-filter.ts'
import { RoomMap } from './room-map.ts'
import { ScheduleMakers } from './schedule-makers.ts'

export interface EventStream extends EventsService {
  /** Ends all streams. */
  close(): void
}

/** Rejects when the store cannot list its computers, whose rooms the events carry, and the makers of its schedules. */
export async function createEventStream(deps: EventStreamDeps): Promise<EventStream> {
  const rooms = new RoomMap(await deps.store.computers.list())
  const makers = new ScheduleMakers(await deps.store.schedules.list())
  const broadcast = new Broadcast(deps, rooms, makers)
  return {
    read(filter, caller) {
      const parsed = parseFilter(filter)
      return 'refused' in parsed ? parsed : broadcast.follow(parsed, filter.after, caller)
    },
    close: () => broadcast.close(),
  }
}
