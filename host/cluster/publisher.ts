// Publishes what happens on this host: the changes of its agents and the events of its bus, together in batches.
import { isDeepStrictEqual } from 'node:util'
import type { HostKey, PresentAgent, Publications } from '../../stores/store.ts'
import { type Events, eventTypes, type FleetEvent } from '../system/events.ts'
import type { Log } from '../system/log.ts'
import type { FeedEvent } from './cluster.ts'
import { FailureLog } from './failure-log.ts'
import { internalTypes } from './feed.ts'
import type { Presence } from './presence.ts'

export interface PublisherDeps {
  news: Pick<Publications, 'publish'>
  presence: Pick<Presence, 'take' | 'setNumbers' | 'putBack'>
  events: Events
  log: Log
  key(): HostKey
  /** This epoch is no member any more; resolves when it has tried to join again. */
  rejoin(): Promise<void>
  /** Reads what the fleet has published; rejects when it cannot. */
  readAll(): Promise<void>
  /** The heartbeat fails too, and the log says so. */
  isDatabaseAway(): boolean
}

interface QueuedEvent {
  time: number
  event: FleetEvent
}

/** Changes are published this long after the first one, together. */
const gatherMilliseconds = 50

/** Until the next attempt after a failed one. */
const retryMilliseconds = 500

/** Events of one batch: its transaction keeps all other hosts from publishing. */
const batchEvents = 2000

/** Events that wait while the database is away. */
const maxEvents = 10_000

export class Publisher {
  readonly #deps: PublisherDeps
  readonly #failures: FailureLog
  #queue: QueuedEvent[] = []
  /** The batch that is being published, or whose outcome is not known. */
  #attempt: QueuedEvent[] = []
  /** What is known of the batch: whether it failed, and whether it was read back all the same. */
  #attemptState: 'new' | 'failed' | 'stored' = 'new'
  #isPresenceDirty = false
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<boolean> | undefined
  #dropped = 0
  #mustIntroduce = false
  #isClosed = false
  readonly #unsubscribe: () => void

  constructor(deps: PublisherDeps) {
    this.#deps = deps
    this.#failures = new FailureLog(
      deps.log,
      {
        failed: 'what happens on this host cannot be published and waits',
        succeeded: 'what happens on this host is published again',
      },
      deps.isDatabaseAway,
    )
    this.#unsubscribe = deps.events.on(
      (event, isRelayed) => {
        if (!isRelayed) this.add(event)
      },
      [...eventTypes, ...internalTypes],
    )
  }

  /** Publishes an event that the bus of this host does not have, too. */
  add(event: FleetEvent): void {
    // The other host reports the connection that has replaced this one.
    if (event.type === 'client-gone' && event.replaced) return
    if (this.#queue.length >= maxEvents) {
      this.#queue.shift()
      if (this.#dropped === 0) this.#deps.log.warn('cluster', `more than ${maxEvents} events wait: the oldest are lost`)
      this.#dropped += 1
    }
    this.#queue.push({ time: Date.now(), event })
    this.#schedule(gatherMilliseconds)
  }

  /** There are changes of agents to publish. */
  noticePresence(): void {
    this.#isPresenceDirty = true
    this.#schedule(gatherMilliseconds)
  }

  /** The agents that are published next are new ones for those who read the events. */
  introduceAll(): void {
    this.#mustIntroduce = true
  }

  /** To be called with each event of this host that was read: a batch may be stored though its outcome got lost. */
  noteOwn({ time, event }: FeedEvent): void {
    const [first] = this.#attempt
    if (first?.time === time && isSameEvent(first.event, event)) this.#attemptState = 'stored'
  }

  /** Publishes everything that waits; resolves to whether it is stored. Concurrent calls share one pass. */
  flush(): Promise<boolean> {
    this.#flushing ??= this.#flush().finally(() => {
      this.#flushing = undefined
    })
    return this.#flushing
  }

  /** Publishes nothing by itself any more. */
  close(): void {
    this.#isClosed = true
    this.#unsubscribe()
    clearTimeout(this.#timer)
  }

  #schedule(delay: number): void {
    if (this.#isClosed) return
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.flush()
    }, delay)
  }

  async #flush(): Promise<boolean> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const isStored = await this.#publishBatch()
    if (this.hasWork) this.#schedule(isStored ? gatherMilliseconds : retryMilliseconds)
    return isStored
  }

  /** Whether something waits. */
  get hasWork(): boolean {
    return this.#isPresenceDirty || this.#queue.length + this.#attempt.length > 0
  }

  async #publishBatch(): Promise<boolean> {
    const { news, presence, key, rejoin } = this.#deps
    try {
      await this.#settleAttempt()
      if (this.#attempt.length === 0) this.#attempt = this.#queue.splice(0, batchEvents)
      this.#isPresenceDirty = false
      const { agents, gone } = presence.take()
      if (this.#mustIntroduce) this.#attempt.unshift(...agents.flatMap(introduce))
      this.#mustIntroduce = false
      if (agents.length + gone.length + this.#attempt.length === 0) return true
      const numbers = await news
        .publish({ key: key(), agents, gone, events: this.#attempt, replaceGone })
        .catch(error => {
          presence.putBack()
          if (this.#attemptState === 'new') this.#attemptState = 'failed'
          throw error
        })
      if (!numbers) {
        presence.putBack()
        await rejoin()
        return false
      }
      presence.setNumbers(numbers)
      this.#endAttempt()
      this.#reportSuccess()
      return true
    } catch (error) {
      this.#failures.failed(error)
      return false
    }
  }

  /** Finds out whether a batch that has failed is stored all the same: nobody must read it twice. */
  async #settleAttempt(): Promise<void> {
    if (this.#attemptState === 'failed') await this.#deps.readAll()
    if (this.#attemptState === 'stored') this.#endAttempt()
    this.#attemptState = 'new'
  }

  #endAttempt(): void {
    this.#attempt = []
    this.#attemptState = 'new'
  }

  #reportSuccess(): void {
    this.#failures.succeeded()
    if (this.#dropped > 0) this.#deps.log.warn('cluster', `${this.#dropped} events of this host were lost`)
    this.#dropped = 0
  }
}

const introduce = ({ addr, state, status }: PresentAgent): QueuedEvent[] => {
  const time = Date.now()
  return [
    { time, event: { type: 'client-connected', addr } },
    { time, event: { type: 'client-state', addr, state, status } },
  ]
}

const replaceGone = <Event extends { type: string }>(event: Event): { type: string } =>
  event.type === 'client-gone' ? { ...event, type: 'client-replaced' } : event

/** JSON leaves out undefined values, and the store may have replaced the type of a `client-gone`. */
function isSameEvent(own: FleetEvent, stored: FleetEvent): boolean {
  return isDeepStrictEqual({ ...JSON.parse(JSON.stringify(own)), type: '' }, { ...stored, type: '' })
}
