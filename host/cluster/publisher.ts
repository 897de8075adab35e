// Publishes what happens on this host: the changes of its agents and the events of its bus, together in batches.
import { isDeepStrictEqual } from 'node:util'
import type { HostKey, PresentAgent, Publications } from '../../stores/store.ts'
import { publishedTypes } from '../contract/fleet-events.ts'
import type { Log } from '../log/log.ts'
import type { Events, FleetEvent } from '../system/events.ts'
import type { FeedEvent } from './cluster.ts'
import { FailureLog } from './failure-log.ts'
import type { Presence } from './presence.ts'
import { nothing, type TimedEvent, WaitingEvents } from './waiting-events.ts'

interface PublisherDeps {
  publications: Pick<Publications, 'publish'>
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

/** Changes are published this long after the first one, together. */
const gatherMilliseconds = 50

/** Until the next attempt after a failed one. */
const retryMilliseconds = 500

export class Publisher {
  readonly #deps: PublisherDeps
  readonly #failures: FailureLog
  readonly #waiting: WaitingEvents
  /** The batch that is being published, or whose outcome is not known. */
  #attempt = nothing
  /** What is known of the batch: whether it failed, and whether it was read back all the same. */
  #attemptState: 'new' | 'failed' | 'stored' = 'new'
  #isPresenceDirty = false
  #timer: NodeJS.Timeout | undefined
  #flushing: Promise<boolean> | undefined
  #mustIntroduce = false
  /** The database cannot store what agents have said of themselves. */
  #omitsDetails = false
  #isClosed = false
  readonly #unsubscribe: () => void

  constructor(deps: PublisherDeps) {
    this.#deps = deps
    this.#waiting = new WaitingEvents(deps.log, deps.isDatabaseAway)
    this.#failures = new FailureLog(
      deps.log,
      {
        failed: 'what happens on this host cannot be published and waits',
        succeeded: 'what happens on this host is published again',
      },
      deps.isDatabaseAway,
    )
    this.#unsubscribe = deps.events.on((event, isRelayed) => {
      if (!isRelayed) this.add(event)
    }, publishedTypes)
  }

  /** Publishes an event that the bus of this host does not have, too. */
  add(event: FleetEvent): void {
    // The other host reports the connection that has replaced this one.
    if (event.type === 'client-gone' && event.replaced) return
    this.#waiting.add(event)
    this.#schedule(gatherMilliseconds)
  }

  /** Events of another host may have been lost: readers get `events-missing`. */
  addGap(): void {
    this.#waiting.addGap()
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
  noteLocal({ time, event }: FeedEvent): void {
    const [first] = this.#attempt.events
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
    // A whole batch has gathered for long enough.
    const gather = this.#waiting.hasBatch ? 0 : gatherMilliseconds
    if (this.hasWork) this.#schedule(isStored ? gather : retryMilliseconds)
    return isStored
  }

  get hasWork(): boolean {
    return this.#isPresenceDirty || this.#waiting.size + this.#attempt.events.length > 0
  }

  async #publishBatch(): Promise<boolean> {
    const { publications, presence, key, rejoin } = this.#deps
    try {
      await this.#settleAttempt()
      if (this.#attempt.events.length === 0) this.#attempt = this.#waiting.take()
      this.#isPresenceDirty = false
      const { agents, gone } = presence.take()
      const introductions = this.#mustIntroduce ? agents.flatMap(introduce) : []
      this.#attempt = { ...this.#attempt, events: [...introductions, ...this.#attempt.events] }
      this.#mustIntroduce = false
      if (agents.length + gone.length + this.#attempt.events.length === 0) return true
      const described = this.#omitsDetails ? agents.map(withoutDetails) : agents
      const { events, lost, isAfterGap } = this.#attempt
      const numbers = await publications
        .publish({ key: key(), agents: described, gone, events, lost: lost + Number(isAfterGap), replaceGone })
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
      if (numbers === 'refused') return this.#omitRefused(agents.length > 0 && !this.#omitsDetails)
      presence.setNumbers(numbers)
      this.#reportSuccess()
      this.#endAttempt()
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
    this.#attempt = nothing
    this.#attemptState = 'new'
  }

  /** What cannot be stored must not keep from the fleet what comes after it. */
  #omitRefused(mayBeDetails: boolean): false {
    const { presence, log } = this.#deps
    presence.putBack()
    this.#omitsDetails ||= mayBeDetails
    const what = mayBeDetails ? 'what agents of this host have said, details' : 'what has happened on this host, events'
    log.error('cluster', `the database cannot store ${what} are lost`)
    if (mayBeDetails) return false
    this.#waiting.lose(this.#attempt)
    this.#endAttempt()
    return false
  }

  #reportSuccess(): void {
    const { lost } = this.#attempt
    this.#failures.succeeded()
    this.#omitsDetails = false
    if (lost > 0) this.#deps.log.warn('cluster', `${lost} events of this host were lost`)
  }
}

const withoutDetails = (agent: PresentAgent): PresentAgent => ({ ...agent, details: {} })

const introduce = ({ addr, state, status }: PresentAgent): TimedEvent[] => {
  const time = Date.now()
  return [
    { time, event: { type: 'client-connected', addr } },
    { time, event: { type: 'client-state', addr, state, status } },
  ]
}

const replaceGone = <Event extends { type: string }>(event: Event): { type: string } =>
  event.type === 'client-gone' ? { ...event, type: 'client-replaced' } : event

/** JSON leaves out undefined values, and the store may have replaced the type of a `client-gone`. */
function isSameEvent(local: FleetEvent, stored: FleetEvent): boolean {
  return isDeepStrictEqual({ ...JSON.parse(JSON.stringify(local)), type: '' }, { ...stored, type: '' })
}
