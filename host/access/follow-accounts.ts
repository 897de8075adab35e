// Reads tokens and users again when another host of the fleet has changed them: they are in memory, as every request asks.
import type { ClusterFeed } from '../cluster/cluster.ts'
import { type Log, message } from '../log/log.ts'
import type { Events } from '../system/events.ts'
import type { Access } from './service.ts'

export interface FollowAccountsDeps {
  events: Events
  log: Log
  /** Absent in a daemon that runs alone. */
  cluster: { feed: Pick<ClusterFeed, 'onGap'> } | undefined
}

/** Until the next attempt, while a token that was deleted may still be accepted here. */
const retryMilliseconds = 1000

/** Returns the function that ends it. */
export function followAccounts(
  access: Pick<Access, 'reload'>,
  { events, log, cluster }: FollowAccountsDeps,
): () => void {
  if (!cluster) return () => {}
  let retry: NodeJS.Timeout | undefined
  let isFailing = false
  let isClosed = false
  async function reload(): Promise<void> {
    clearTimeout(retry)
    try {
      await access.reload()
      isFailing = false
    } catch (error) {
      if (isClosed) return
      if (!isFailing) log.warn('access', `tokens and users could not be read again, retrying: ${message(error)}`)
      isFailing = true
      clearTimeout(retry)
      retry = setTimeout(() => void reload(), retryMilliseconds)
    }
  }
  const unsubscribe = events.on((_, isRelayed) => void (isRelayed && reload()), ['accounts-changed'])
  // Among the events that were lost may have been the one that a token was deleted.
  cluster.feed.onGap(() => void (isClosed || reload()))
  return () => {
    isClosed = true
    clearTimeout(retry)
    unsubscribe()
  }
}
