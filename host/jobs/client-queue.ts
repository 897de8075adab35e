// The queue of one client: the parts that wait for it, and what the client is ready for.
import type { StartRules } from './start-rules.ts'

/** What a part is called in the store. */
export interface QueuedName {
  job: number
  index: number
}

export interface QueuedPart extends QueuedName {
  command: string
  payload: Record<string, unknown>
  /** Of who asked for it, see `Job`. */
  account?: string | undefined
  queued: number
  /** Seconds. */
  expires: number
  /** Absent: it may be sent as soon as its client can take it. */
  rules?: StartRules | undefined
  /** With several hosts: when it was put into this queue by itself, by the monotonic clock. */
  added?: number
  /** It may be stored as sent although it was not sent: the engine did not respond. */
  isUncertain?: boolean
}

/**
 * | state         | meaning                                                                                    |
 * |---------------|--------------------------------------------------------------------------------------------|
 * | `idle`        | the agent has not been sent the queue command (`run/schedule`) since it connected          |
 * | `announcing`  | the queue command is pending                                                               |
 * | `open`        | the agent has replied to it: parts may be sent                                             |
 * | `paused`      | the agent has not replied to it: nothing is sent until there is a new reason               |
 * | `sending`     | the first part is being stored as sent, or it has been sent and has not ended              |
 * | `interrupted` | as `sending`, but the client has disconnected since                                        |
 * | `retrying`    | the first part could not be stored as sent; it is tried again soon                         |
 *
 * | event                                         | from → to                                                  |
 * |-----------------------------------------------|------------------------------------------------------------|
 * | queue command sent                            | `idle` → `announcing`                                      |
 * | queue command ended with a reply, or not      | `announcing` → `open`, `paused`                            |
 * | first part taken                              | `open` → `sending`                                         |
 * | part ended, or client not ready any longer    | `sending` → `open`, `interrupted` → `idle`                 |
 * | part could not be stored                      | `sending` → `retrying`, `interrupted` → `paused`           |
 * | new parts, task run, refresh ended, retry     | `paused` → `idle`, `retrying` → `open`                     |
 * | refresh of a newer connection ended           | `announcing` → `idle`                                      |
 * | client disconnected                           | `sending` → `interrupted`, all others → `idle`             |
 */
export type QueueState = 'idle' | 'announcing' | 'open' | 'paused' | 'sending' | 'interrupted' | 'retrying'

export class ClientQueue {
  readonly addr: string
  waiting: QueuedPart[] = []
  /** When the part before the first one ended. The first part expires counted from then, or from when it was queued. */
  since: number
  cancelExpiry: (() => void) | undefined
  /** The first part, while it may not start although the client could take it. */
  held: QueuedPart | undefined
  /** The job of the part that was sent last: the client has begun it. */
  begun: number | undefined
  #sending: QueuedPart | undefined
  #state: QueueState = 'idle'

  constructor(addr: string, now: number) {
    this.addr = addr
    this.since = now
  }

  get state(): QueueState {
    return this.#state
  }

  get isSending(): boolean {
    return this.#state === 'sending' || this.#state === 'interrupted'
  }

  /** The part that is being sent, or has been sent and has not ended. */
  get sending(): QueuedPart | undefined {
    return this.isSending ? this.#sending : undefined
  }

  /** Appends parts, apart from those that wait already or are being sent. */
  append(parts: readonly QueuedPart[]): void {
    const waiting = new Map(this.waiting.map(part => [nameOf(part), part]))
    for (const part of parts) {
      const same = waiting.get(nameOf(part))
      if (same) same.added = part.added ?? 0
      else if (!this.#isBeingSent(part)) this.waiting.push(part)
    }
  }

  /** It was read of the store before it was stored as sent. */
  #isBeingSent(part: QueuedPart): boolean {
    return this.sending !== undefined && nameOf(this.sending) === nameOf(part)
  }

  /** Replaces the waiting parts, apart from those that were added after `began`, by what was read of the store since. */
  replace(parts: readonly QueuedPart[], began: number): void {
    const before = new Map(this.waiting.map(part => [nameOf(part), part]))
    const newer = this.waiting.filter(({ added = 0 }) => added >= began)
    // The store may have it as sent.
    const uncertain = this.waiting.filter(({ isUncertain }) => isUncertain)
    const isKept = (part: QueuedPart) =>
      !this.#isBeingSent(part) && !uncertain.some(each => nameOf(each) === nameOf(part))
    this.waiting = [...uncertain, ...parts.filter(isKept).map(part => before.get(nameOf(part)) ?? part)]
    this.append(newer)
  }

  /** Removes and returns waiting parts. */
  remove(isRemoved: (part: QueuedPart) => boolean): QueuedPart[] {
    const removed = this.waiting.filter(isRemoved)
    this.waiting = this.waiting.filter(each => !isRemoved(each))
    return removed
  }

  /** The time that the part may wait for its client begins when it may start. */
  hold(part: QueuedPart, now: number): void {
    this.held = part
    this.since = now
    this.cancelExpiry?.()
  }

  announce(): void {
    this.#state = 'announcing'
  }

  /** The queue command has ended, or there is none. */
  onAnnounced(answered: boolean): void {
    this.#state = answered ? 'open' : 'paused'
  }

  /** Takes the first part out of `waiting`. */
  startSending(): void {
    this.cancelExpiry?.()
    this.#sending = this.waiting.shift()
    this.begun = this.#sending?.job
    this.#state = 'sending'
  }

  stopSending(): void {
    this.#state = this.#state === 'interrupted' ? 'idle' : 'open'
  }

  onStoreError(): void {
    this.#state = this.#state === 'interrupted' ? 'paused' : 'retrying'
  }

  resume(): void {
    if (this.#state === 'paused') this.#state = 'idle'
    if (this.#state === 'retrying') this.#state = 'open'
  }

  onClientReady(): void {
    if (this.#state === 'announcing') this.#state = 'idle'
    this.resume()
  }

  onClientGone(): void {
    this.#state = this.isSending ? 'interrupted' : 'idle'
  }
}

export const nameOf = ({ job, index }: QueuedName) => `${job}:${index}`
