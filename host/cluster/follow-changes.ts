// Reads what is in memory again when another host of the fleet has changed it: accounts and packs, as every request asks.
import { type Log, message } from '../log/log.ts'
import type { Events, FleetEvent } from '../system/events.ts'
import type { ClusterFeed } from './cluster.ts'

/** What is read again, and the event after which it is. */
export interface Followed {
  type: FleetEvent['type']
  /** For the log. */
  what: string
  reload(): Promise<void>
}

export interface FollowDeps {
  events: Events
  log: Log
  /** Absent in a daemon that runs alone. */
  cluster: { feed: Pick<ClusterFeed, 'onGap'> } | undefined
}

/** Until the next attempt, while a token that was deleted may still be accepted here. */
const retryMilliseconds = 1000

/** Returns the function that ends it. */
export function followChanges({ type, what, ...followed }: Followed, { events, log, cluster }: FollowDeps): () => void {
  if (!cluster) return () => {}
  let retry: NodeJS.Timeout | undefined
  let isFailing = false
  let isClosed = false
  async function reload(): Promise<void> {
    clearTimeout(retry)
    try {
      await followed.reload()
      isFailing = false
    } catch (error) {
      if (isClosed) return
      if (!isFailing) log.warn('cluster', `${what} could not be read again, retrying: ${message(error)}`)
      isFailing = true
      clearTimeout(retry)
      retry = setTimeout(() => void reload(), retryMilliseconds)
    }
  }
  const unsubscribe = events.on((_, isRelayed) => void (isRelayed && reload()), [type])
  // Among the events that were lost may have been the one that a token was deleted.
  cluster.feed.onGap(() => void (isClosed || reload()))
  return () => {
    isClosed = true
    clearTimeout(retry)
    unsubscribe()
  }
}
