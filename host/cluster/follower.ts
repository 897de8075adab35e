// Keeps a host up to date with the fleet: on each notification of the database, and each second.
import type { ClusterStore } from '../../stores/store.ts'
import type { Log } from '../log/log.ts'
import { FailureLog } from './failure-log.ts'
import type { FeedReader } from './feed.ts'
import type { ListenerSet } from './listener-set.ts'
import type { Membership } from './membership.ts'
import type { Presence } from './presence.ts'

interface FollowerDeps {
  store: Pick<ClusterStore, 'notifications' | 'publications'>
  log: Log
  name: string
  membership: Membership
  reader: FeedReader
  presence: Pick<Presence, 'announceAll'>
  workListeners: ListenerSet
}

/** Events that the store keeps, and that a host reads when it starts. */
export const keptEvents = 10_000

/** Notifications may get lost: everything is read so often. */
const tickMilliseconds = 1000

const ticksBetweenTrims = 60

/** After the database was away the other hosts have announced their agents anew by then. */
const settleMilliseconds = 5000

/** After a longer time without a read, agents may have gone whose rows the store has no more; it keeps them for a minute. */
const forgottenMilliseconds = 30_000

export class Follower {
  readonly #deps: FollowerDeps
  readonly #failures: FailureLog
  #timer: NodeJS.Timeout | undefined
  #settling: NodeJS.Timeout | undefined
  #ticks = 0
  /** When everything was read last, by `performance.now`. */
  #readAt = performance.now()
  #state: 'new' | 'listening' | 'lost' | 'closed' = 'new'

  constructor(deps: FollowerDeps) {
    this.#deps = deps
    this.#failures = new FailureLog(
      deps.log,
      { failed: 'the other hosts cannot be followed', succeeded: 'the other hosts are followed again' },
      () => deps.membership.isFailing,
    )
  }

  start(): void {
    const { store, name, membership, workListeners } = this.#deps
    store.notifications.listen({
      onNotice: notice => {
        if (notice.type === 'hosts') void membership.refresh()
        if (notice.type === 'published') void this.#read()
        if (notice.type === 'work' && notice.host === name) workListeners.call()
      },
      onOpen: () => this.#onOpen(),
      onLost: () => this.#onLost(),
    })
    this.#timer = setInterval(() => this.#tick(), tickMilliseconds)
    this.#tick()
  }

  close(): void {
    this.#state = 'closed'
    clearInterval(this.#timer)
    clearTimeout(this.#settling)
  }

  #tick(): void {
    const { membership, workListeners } = this.#deps
    this.#ticks += 1
    void membership.refresh()
    void this.#read()
    workListeners.call()
    if (this.#ticks % ticksBetweenTrims === 0 && membership.isLeader()) void this.#trim()
  }

  async #trim(): Promise<void> {
    const { store, log } = this.#deps
    await store.publications.trim(keptEvents).catch(error => log.error('cluster', 'could not delete old events', error))
  }

  async #read(): Promise<void> {
    try {
      await this.#deps.reader.readAll()
      if (performance.now() - this.#readAt > forgottenMilliseconds) this.#readAnew()
      this.#readAt = performance.now()
      this.#failures.succeeded()
    } catch (error) {
      if (this.#state !== 'closed') this.#failures.failed(error)
    }
  }

  #onOpen(): void {
    if (this.#state === 'closed') return
    if (this.#state === 'lost') {
      this.#deps.log.info('cluster', 'notifications of the other hosts are received again')
      this.#deps.presence.announceAll()
      this.#readAnew()
    }
    this.#state = 'listening'
    this.#tick()
  }

  /** Now what there is, and a little later without what has gone meanwhile: so no client is missing for a moment. */
  #readAnew(): void {
    const { reader } = this.#deps
    reader.rereadPresence({ forget: false })
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined
      reader.rereadPresence({ forget: true })
      void this.#read()
    }, settleMilliseconds)
  }

  #onLost(): void {
    if (this.#state === 'closed') return
    this.#state = 'lost'
    this.#deps.log.warn('cluster', 'no notifications of the other hosts, they are asked each second')
  }
}
