// The queue of one client: the parts that wait for it, and what the client is ready for.

export interface QueuedPart {
  job: number
  index: number
  command: string
  payload: Record<string, unknown>
  queued: number
  /** Seconds. */
  expires: number
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
    this.waiting.shift()
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
