// Sends the parts that wait for their client: one at a time, in order, and never twice.

import type { Part, PartUpdate } from '../../../stores/store.ts'
import type { FleetEvent } from '../../system/events.ts'
import type { PartList } from '../record/part-list.ts'
import { ClientQueue, type TakeTarget, takeParts } from './client-queue.ts'
import { PartSender } from './part-sender.ts'
import type { QueueDeps } from './queue-deps.ts'
import { type QueuedJob, type QueuedName, QueuedPart, WaitingJobs } from './queued-parts.ts'
import { toAnnouncement } from './queued-request.ts'
import { StartGate } from './start-gate.ts'
import { whyWaiting } from './why-waiting.ts'

/** The reason of the parts of a client, by the first one of them. */
type WhyOf = (addr: string, first: number) => string

export class Queue {
  readonly #deps: QueueDeps
  readonly #queues = new Map<string, ClientQueue>()
  readonly #sender: PartSender
  readonly gate: StartGate
  readonly waitingJobs = new WaitingJobs()
  readonly #unsubscribe: () => void
  #isHeld = false

  constructor(deps: QueueDeps) {
    this.#deps = deps
    this.#sender = new PartSender(deps, {
      isHeld: () => this.#isHeld,
      advance: addr => this.#advance(addr),
      resume: addr => this.#resume(addr),
      groups: () => this.gate.groups,
    })
    this.gate = new StartGate(deps, {
      advance: addr => this.#advance(addr),
      expire: (job, reason) => {
        const isOwn = (addr: string) => this.#queues.get(addr)?.sending?.job !== job
        const waits = new Map(this.gate.waitsOf(job).map(wait => [wait.part.index, wait.for]))
        const whyOf = (addr: string, first: number) =>
          [reason, whyWaiting(addr, waits.get(first), deps)].filter(Boolean).join(': ')
        this.cancel({ job, isOwn }, whyOf, 'expired')
      },
    })
    const listener = (event: FleetEvent) => {
      if (this.#queues.size === 0) return
      const queue = 'addr' in event ? this.#queues.get(event.addr) : undefined
      if (event.type === 'client-gone') queue?.onClientGone()
      if (event.type === 'client-ready') queue?.onClientReady()
      if (queue) this.#advance(queue.addr)
    }
    this.#unsubscribe = deps.events.on(listener, ['client-gone', 'client-ready', 'command-ended', 'session-logout'])
  }

  /** Counts the parts of a new job that were sent without having waited, where only so many run at once. */
  noteSent(job: QueuedJob, parts: readonly Part[]): void {
    const rules = this.gate.rulesOf(job)
    if (!rules.some(each => each)) return
    for (const [index, part] of parts.entries()) {
      const { state, step } = part
      if (state !== 'sent' || !rules[step]) continue
      this.gate.groups.noteSent(
        new QueuedPart(
          this.waitingJobs.of(job, part, () => rules),
          { index, step },
        ),
      )
    }
  }

  /** Resumes the queues of all clients, also of those whose agents have not replied to the queue command. */
  wake(): void {
    for (const addr of this.addrs()) this.#resume(addr)
  }

  /** While it is held nothing is sent and nothing expires; then the time that parts may wait begins again. */
  hold(isHeld: boolean): void {
    this.#isHeld = isHeld
    for (const queue of [...this.#queues.values()]) {
      queue.since = this.#deps.clock.now()
      this.#advance(queue.addr)
    }
  }

  /** Ends waiting parts and returns their number. A part that is being sent stays. */
  cancel(target: TakeTarget, why: string | WhyOf, state: 'cancelled' | 'expired' = 'cancelled'): number {
    const ended = this.#deps.clock.now()
    let count = 0
    for (const [addr, parts] of takeParts(this.#queues, target)) {
      const reason = typeof why === 'string' ? why : why(addr, parts[0]?.index ?? -1)
      for (const part of parts) this.#end(part, { state, reason, ended })
      count += parts.length
      this.#advance(addr)
    }
    return count
  }

  /** Appends parts of a client that this host looks after from now on. */
  append(addr: string, parts: readonly QueuedPart[]): void {
    this.#queueOf(addr).append(parts)
    this.#resume(addr)
  }

  /** Replaces the waiting parts of a client, apart from those that were added after `began`. */
  replace(addr: string, parts: PartList, began: number): void {
    if (parts.length === 0 && !this.#queues.has(addr)) return
    this.#queueOf(addr).replace(parts, began)
    this.#advance(addr)
  }

  /** Forgets the waiting parts of a client, or one of them that has ended; returns them. */
  drop(addr: string, part?: QueuedName): QueuedPart[] {
    const queue = this.#queues.get(addr)
    const parts = queue?.remove(part ?? {}) ?? []
    if (queue && !part && !queue.isSending) {
      this.gate.leave(queue)
      queue.expiry?.cancel()
      this.#queues.delete(addr)
    } else if (parts.length > 0) this.#advance(addr)
    return parts
  }

  has = (addr: string): boolean => this.#queues.has(addr)

  /** When the part expires, in milliseconds since 1970; undefined while it is not the first one or nothing expires. */
  expiryOf(addr: string, { job, index }: QueuedName): number | undefined {
    const queue = this.#queues.get(addr)
    const isFirst = queue?.first?.job === job && queue.first.index === index
    return isFirst ? queue.expiry?.time : undefined
  }

  addrs = (): string[] => [...this.#queues.keys()]

  /** How many parts wait. */
  get depth(): number {
    return [...this.#queues.values()].reduce((sum, { length }) => sum + length, 0)
  }

  close(): void {
    // Parts that are added from now on wait in the store only.
    this.#isHeld = true
    this.#unsubscribe()
    this.gate.close()
    for (const { expiry } of this.#queues.values()) expiry?.cancel()
    this.#queues.clear()
  }

  #queueOf(addr: string): ClientQueue {
    const queue = this.#queues.get(addr) ?? new ClientQueue(addr, this.#deps.clock.now(), this.waitingJobs)
    this.#queues.set(addr, queue)
    return queue
  }

  #resume(addr: string): void {
    this.#queues.get(addr)?.resume()
    this.#advance(addr)
  }

  /** Takes the next step that is possible now. */
  #advance(addr: string): void {
    const queue = this.#queues.get(addr)
    if (!queue || queue.isSending) return
    queue.stopExpiry()
    this.gate.leave(queue)
    const { fleet } = this.#deps
    const { first } = queue
    if (!first) {
      // While the client is busy the queue stays: parts that are added then expire counted from the end of that work.
      if (!fleet.has(addr) || fleet.isReady(addr)) this.#queues.delete(addr)
      return
    }
    if (this.#isHeld) return
    // The gate might not let it pass: there the place that it may have in the store is taken.
    if (first.isUncertain && queue.mayGiveBack) return void this.#sender.sendFirst(queue, first)
    this.#startExpiry(queue, first)
    if (!fleet.isReady(addr)) return
    if (queue.state === 'idle') return this.#announce(queue)
    // In the other states an event must come first.
    if (queue.state === 'open' && this.gate.mayStart(queue, first)) void this.#sender.sendFirst(queue, first)
  }

  #startExpiry(queue: ClientQueue, part: QueuedPart): void {
    const { waitingJob, rules } = part
    const { clock } = this.#deps
    // The whole job expires at another time, apart from clients that have begun it.
    if (rules?.until !== undefined && clock.now() < rules.until) return
    const { queued, expires } = waitingJob
    const time = Math.max(queued, queue.since) + expires * 1000
    const cancel = clock.after(time - clock.now(), () => {
      const ended = clock.now()
      const reason = whyWaiting(queue.addr, undefined, this.#deps)
      this.#end(part, { state: 'expired', reason, ended })
      queue.shift()
      queue.since = ended
      this.#advance(queue.addr)
    })
    queue.expiry = { time, cancel }
  }

  /** What the store may have as sent is given back before: there nothing of it would end. */
  #end(part: QueuedPart, end: Pick<PartUpdate, 'state' | 'reason' | 'ended'>): void {
    const { recorder, giveBack } = this.#deps
    const update = () => recorder.update({ job: part.job, index: part.index, ...end })
    if (part.isUncertain) void giveBack(part).then(update)
    else update()
  }

  /** Sends the queue command. Any reply opens the queue; the end of the command is an event that leads to #advance. */
  #announce(queue: ClientQueue): void {
    const request = toAnnouncement(queue, this.#deps)
    if (!request) {
      queue.onAnnounced(true)
      return this.#advance(queue.addr)
    }
    queue.announce()
    this.#deps.fleet.send(queue.addr, request)
  }
}
