// The queue of one client: the parts that wait for it, and what the client is ready for.
import { PartList } from '../record/part-list.ts'
import { nameOf, type PartTarget, type QueuedPart, type WaitingJob, type WaitingJobs } from './queued-parts.ts'

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
 * | first part to be given back to the store      | `open` → `sending`, `idle` → `interrupted`                 |
 * | part ended, or client not ready any longer    | `sending` → `open`, `interrupted` → `idle`                 |
 * | part could not be stored                      | `sending` → `retrying`, `interrupted` → `paused`           |
 * | new parts, task run, refresh ended, retry     | `paused` → `idle`, `retrying` → `open`                     |
 * | refresh of a newer connection ended           | `announcing` → `idle`                                      |
 * | client disconnected                           | `sending` → `interrupted`, all others → `idle`             |
 */
export type QueueState = 'idle' | 'announcing' | 'open' | 'paused' | 'sending' | 'interrupted' | 'retrying'

export class ClientQueue {
  readonly addr: string
  /** The parts that were looked at already, which come first. */
  #heads: QueuedPart[] = []
  #rest: PartList
  /** When the part before the first one ended. The first part expires counted from then, or from when it was queued. */
  since: number
  /** Of the first part, while its time runs; in milliseconds since 1970. */
  expiry: { time: number; cancel(): void } | undefined
  /** The first part, while it may not start although the client could take it. */
  waitingPart: QueuedPart | undefined
  /** The job of the part that was sent last: the client has begun it. */
  begun: number | undefined
  #sending: QueuedPart | undefined
  #state: QueueState = 'idle'

  constructor(addr: string, now: number, jobs: WaitingJobs) {
    this.addr = addr
    this.since = now
    this.#rest = new PartList(jobs)
  }

  get state(): QueueState {
    return this.#state
  }

  /** Nothing is pending: a part that the store may have as sent can be given back. */
  get mayGiveBack(): boolean {
    return this.#state === 'open' || this.#state === 'idle'
  }

  get isSending(): boolean {
    return this.#state === 'sending' || this.#state === 'interrupted'
  }

  /** The part that is being sent, or has been sent and has not ended. */
  get sending(): QueuedPart | undefined {
    return this.isSending ? this.#sending : undefined
  }

  /** How many parts wait. */
  get length(): number {
    return this.#heads.length + this.#rest.length
  }

  get first(): QueuedPart | undefined {
    const next = this.#heads.length === 0 ? this.#rest.shift() : undefined
    if (next) this.#heads.push(next)
    return this.#heads[0]
  }

  /** Removes the first part. */
  shift(): QueuedPart | undefined {
    return this.#heads.shift() ?? this.#rest.shift()
  }

  /** The part is the first one again. */
  unshift(part: QueuedPart): void {
    this.#heads.unshift(part)
  }

  push(job: WaitingJob, part: { index: number; step: number; added?: number }): void {
    this.#rest.push(job, part)
  }

  /** Appends parts, apart from those that wait already or are being sent. */
  append(parts: readonly QueuedPart[]): void {
    this.#merge(parts, 0)
  }

  /** Replaces the waiting parts, apart from those that were added after `began`, by what was read of the store since. */
  replace(parts: PartList, began: number): void {
    const before = this.remove({})
    // The store may have these as sent.
    this.#heads = before.filter(({ isUncertain }) => isUncertain)
    this.#rest = parts
    for (const part of this.#heads) parts.take({ job: part.job, index: part.index })
    // It was read of the store before it was stored as sent.
    if (this.sending) parts.take({ job: this.sending.job, index: this.sending.index })
    this.#merge(
      before.filter(({ added, isUncertain }) => added > 0 && !isUncertain),
      began,
    )
  }

  /** Notes when parts were added that wait already, and appends the others that were added after `began`. */
  #merge(parts: readonly QueuedPart[], began: number): void {
    const times = new Map(parts.map(part => [nameOf(part), part.added]))
    if (this.sending) times.delete(nameOf(this.sending))
    for (const head of this.#heads) {
      head.added = times.get(nameOf(head)) ?? head.added
      times.delete(nameOf(head))
    }
    this.#rest.noteAdded(times)
    for (const part of parts) {
      if (part.added >= began && times.delete(nameOf(part))) this.push(part.waitingJob, part)
    }
  }

  /** Removes and returns waiting parts. */
  remove(target: PartTarget): QueuedPart[] {
    const heads = this.#heads
    this.#heads = heads.filter(part => !isTarget(part, target))
    return [...heads.filter(part => isTarget(part, target)), ...this.#rest.take(target)]
  }

  /** The time that the part may wait for its client begins when it may start. */
  hold(part: QueuedPart, now: number): void {
    this.waitingPart = part
    this.since = now
    this.stopExpiry()
  }

  stopExpiry(): void {
    this.expiry?.cancel()
    this.expiry = undefined
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
    this.stopExpiry()
    this.#sending = this.shift()
    this.begun = this.#sending?.job
    this.#state = this.#state === 'open' ? 'sending' : 'interrupted'
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

const isTarget = (part: QueuedPart, { job = part.job, index = part.index, isMeant }: PartTarget) =>
  part.job === job && part.index === index && isMeant?.(part) !== false

/** Those of a job whose client `isOwn` accepts, or those of any client that are refused. */
export type TakeTarget =
  | { job: number; isOwn(addr: string): boolean }
  | { isRefused(addr: string, part: QueuedPart): boolean }

/** Takes the parts out of the queues, with the address of each queue. A part that is being sent stays. */
export function takeParts(queues: ReadonlyMap<string, ClientQueue>, target: TakeTarget): [string, QueuedPart[]][] {
  const chosen = [...queues.values()].filter(({ addr }) => !('job' in target) || target.isOwn(addr))
  const partsOf = (addr: string): PartTarget =>
    'job' in target ? { job: target.job } : { isMeant: part => target.isRefused(addr, part) }
  return chosen.map(queue => [queue.addr, queue.remove(partsOf(queue.addr))])
}
