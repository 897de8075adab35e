// Server-sent events: a log of recent events for replay, and the readers that follow it.
import type { Store } from '../../stores/store.ts'
import type { ClusterFeed } from '../cluster/cluster.ts'
import { streamedTypes } from '../contract/fleet-events.ts'
import type { EventsService } from '../contract/services.ts'
import type { Events } from '../system/events.ts'
import { Broadcast, type BroadcastDeps } from './broadcast.ts'
import { parseFilter } from './caller-filter.ts'
import { ScheduleMakers } from './event-rights.ts'
import { RoomMap } from './room-map.ts'

interface EventStreamDeps extends Omit<BroadcastDeps, 'isOfCluster'> {
  store: { computers: Pick<Store['computers'], 'list'>; schedules: Pick<Store['schedules'], 'list'> }
  events: Events
  /** The events of all hosts; undefined in a daemon that runs alone. */
  feed?: ClusterFeed | undefined
}

interface EventStream extends EventsService {
  /** Ends all streams. */
  close(): void
}

/** Rejects when the store cannot list its computers, whose rooms the events carry, and the makers of its schedules. */
export async function createEventStream(deps: EventStreamDeps): Promise<EventStream> {
  const { store, events, feed } = deps
  const computers = await store.computers.list()
  const makers = new ScheduleMakers(await store.schedules.list())
  const broadcast = new Broadcast({ ...deps, isOfCluster: feed !== undefined }, new RoomMap(computers), makers)
  if (feed) broadcast.addHistory(feed.takeHistory(), new RoomMap(computers))
  const unsubscribe = feed
    ? feed.on(each => broadcast.add(each.event, each))
    : events.on(event => broadcast.add(event), streamedTypes)
  return {
    newest: broadcast.newest,
    read(filter, caller) {
      const parsed = parseFilter(filter)
      return 'refused' in parsed ? parsed : broadcast.follow(parsed, filter.after, caller)
    },
    close() {
      unsubscribe()
      broadcast.close()
    },
  }
}
