// Reads the stored events that one hook names into its queue, and knows how far the hook has come among them.
import type { FailureLog } from '../cluster/failure-log.ts'
import type { Clock } from '../system/clock.ts'
import { attempt, inBackground, retryMilliseconds } from './attempt.ts'
import type { Batch, HookQueue } from './hook-queue.ts'
import { readSize, type StoredFeed } from './stored-feed.ts'

export interface StoredReaderDeps {
  clock: Clock
  feed: StoredFeed
  /** Of reads: a full disk lets them succeed while every write fails. */
  readFailures: FailureLog
}

/** The hook, as its reader sees it. */
interface ReadingHook {
  queue: HookQueue
  /** The types of stored events that it names. */
  types(): readonly string[]
  isOpen(): boolean
  onEvents(): void
}

export class StoredReader {
  readonly #deps: StoredReaderDeps
  readonly #hook: ReadingHook
  /** The last event that the hook has handled, and the last one that was read. */
  #handled = 0
  #read = 0
  /** Events before this time are not missed; milliseconds since 1970. */
  #since = 0
  /** Grows with each start. */
  #epoch = 0
  #isReading = false
  #needsRead = false

  constructor(deps: StoredReaderDeps, hook: ReadingHook) {
    this.#deps = deps
    this.#hook = hook
  }

  /** Whether it has read more than the hook has confirmed, of events that do not concern it. */
  get isAhead(): boolean {
    return this.#hook.types().length > 0 && this.#read > this.#handled
  }

  startAfter(id: number, since: number): void {
    this.#epoch += 1
    this.#handled = id
    this.#read = id
    this.#since = since
  }

  /** False when the batch had no stored events. */
  handled({ events }: Batch): boolean {
    const newest = Math.max(0, ...events.map(({ id = 0 }) => id))
    this.#handled = Math.max(this.#handled, newest)
    return newest > 0
  }

  /** The id up to which the hook needs no event any more; `batch` is what it works on. */
  cursor(batch: Batch | undefined): number {
    const isWaiting = this.#hook.queue.storedSize > 0 || batch?.events.some(({ id }) => id !== undefined)
    if (!isWaiting) this.#handled = this.#read
    return this.#handled
  }

  /** Reads until enough wait, or there are no more. */
  async read(): Promise<void> {
    const { queue, types, isOpen, onEvents } = this.#hook
    this.#needsRead = true
    if (this.#isReading || types().length === 0) return
    this.#isReading = true
    const isDone = await attempt(this.#deps.readFailures, async () => {
      while (this.#needsRead && isOpen() && queue.storedSize < readSize) {
        this.#needsRead = false
        await this.#readPage()
      }
    })
    this.#isReading = false
    const { clock, readFailures } = this.#deps
    if (!isDone && isOpen()) clock.after(retryMilliseconds, () => inBackground(readFailures, () => this.read()))
    onEvents()
  }

  async #readPage(): Promise<void> {
    const { feed } = this.#deps
    const { queue, types, isOpen } = this.#hook
    const epoch = this.#epoch
    const rows = await feed.read(this.#read)
    if (!isOpen() || epoch !== this.#epoch) return
    const { lost } = feed
    if (lost && this.#read < lost.id) {
      queue.addGap({ since: Math.max(lost.since, this.#since), until: lost.until })
      this.#read = lost.id
    }
    const named = types()
    queue.addStored(rows.filter(({ id = 0, event }) => id > this.#read && named.includes(event.type)))
    this.#read = Math.max(this.#read, rows.at(-1)?.id ?? 0)
    if (rows.length === readSize) this.#needsRead = true
  }
}
