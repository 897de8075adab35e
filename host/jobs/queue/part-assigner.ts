// Gives queued parts to other hosts of the fleet, and gives back what was stored as sent but was not sent.

import { endOfTick } from '../../system/time-slices.ts'
import type { QueueDeps } from './queue-deps.ts'
import { nameOf, type QueuedName } from './queued-parts.ts'

/** Milliseconds until what could not be stored or read is tried again. */
const retryMilliseconds = 1000

export class PartAssigner {
  readonly #deps: QueueDeps
  #waiting: (QueuedName & { host: string })[] = []
  /** What is being given back, by its name. */
  readonly #returning = new Map<string, QueuedName>()
  #assigning: Promise<void> | undefined
  #isClosed = false

  constructor(deps: QueueDeps) {
    this.#deps = deps
  }

  /** Assigns a queued part to a host soon, together with others; retries until it is stored. */
  assign({ job, index }: QueuedName, host: string): void {
    this.#waiting.push({ job, index, host })
    this.#assigning ??= this.#assignAll()
  }

  /** See `QueueDeps`. */
  async giveBack(part: QueuedName): Promise<boolean> {
    const { cluster, recorder } = this.#deps
    const { epoch } = cluster.key()
    const { job, index } = part
    this.#returning.set(nameOf(part), part)
    const isGiven = () => this.#returning.get(nameOf(part)) === part
    // A host that has joined again has read its queue again, and may have sent the part since: that is not taken back.
    while (!this.#isClosed && cluster.key().epoch === epoch && isGiven()) {
      try {
        await recorder.updateNow({ job, index, state: 'queued', sent: 0 })
        break
      } catch (error) {
        await this.waitAfter('could not store parts that were not sent, retrying', error)
      }
    }
    const isQueued = isGiven()
    if (isQueued) this.#returning.delete(nameOf(part))
    return isQueued
  }

  /** See `QueueDeps`. */
  stopGivingBack(part: QueuedName): boolean {
    return this.#returning.delete(nameOf(part))
  }

  /** Logs an error and resolves when it is time to try again. */
  async waitAfter(text: string, error: unknown): Promise<void> {
    const { clock, throttledLog } = this.#deps
    throttledLog('queues').error('queue', text, error)
    await new Promise<void>(resolve => clock.after(retryMilliseconds, resolve))
  }

  close(): void {
    this.#isClosed = true
  }

  async #assignAll(): Promise<void> {
    await endOfTick()
    while (this.#waiting.length > 0 && !this.#isClosed) {
      const parts = this.#waiting
      this.#waiting = []
      try {
        await this.#deps.cluster.work.assign(parts)
      } catch (error) {
        this.#waiting = [...parts, ...this.#waiting]
        await this.waitAfter('could not assign queued parts to other hosts, retrying', error)
      }
    }
    this.#assigning = undefined
  }
}
