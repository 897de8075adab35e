// Follows the log of one client while it runs a command that copies an image, and judges its reply by it.
import { setTimeout as wait } from 'node:timers/promises'
import { ClientLog, notConfirmed, type ReplyVerdict } from './client-log.ts'
import type { CopyProgress, LineReader } from './log-patterns.ts'
import { readLog } from './read-log.ts'
import type { ReadQueue } from './read-queue.ts'

interface WatchedClientDeps {
  addr: string
  options: { port: number; path: string; period_seconds: number }
  readLine: LineReader
  /** Shared by all clients. */
  queue: ReadQueue
  /** The same for reading the lines, which takes processor time. */
  lineQueue: ReadQueue
  onProgress(progress: CopyProgress): Promise<void>
}

/** Seconds: a log that cannot be read is read less and less often. */
const longestPeriod = 60

/** Milliseconds after which a log that is not complete is read again: its last lines may come later than the reply. */
const secondReadMilliseconds = 1000

/** Milliseconds from the reply to the verdict: two reads, and what waits before them. */
const verdictMilliseconds = 4500

export class WatchedClient {
  readonly #deps: WatchedClientDeps
  readonly #log: ClientLog
  readonly #end = new AbortController()
  /** Ends the periodic reads. */
  readonly #replied = new AbortController()
  /** Reads follow each other: the log needs them in order. */
  #lastRead: Promise<void> = Promise.resolve()
  /** How many reads have failed since the last good one. */
  #failures = 0
  /** Why the last read has failed. */
  #problem = ''
  /** The progress that was reported last, as JSON. */
  #reported = ''

  constructor(deps: WatchedClientDeps) {
    this.#deps = deps
    this.#log = new ClientLog(deps.readLine)
    void this.#follow()
  }

  /** To be called when the client has replied; resolves after some seconds at most. */
  async judge(): Promise<ReplyVerdict> {
    this.#replied.abort()
    const timeout = new AbortController()
    const late = wait(verdictMilliseconds, false, { signal: timeout.signal }).catch(() => false)
    const isRead = await Promise.race([this.#readLastLines().then(() => true), late])
    timeout.abort()
    return this.#verdict(isRead)
  }

  /** The command has ended. */
  end(): void {
    this.#replied.abort()
    this.#end.abort()
  }

  get hasEnded(): boolean {
    return this.#end.signal.aborted
  }

  async #follow(): Promise<void> {
    const { signal } = this.#replied
    while (!signal.aborted) {
      await this.#read(false, false)
      const seconds = Math.min(this.#deps.options.period_seconds * 2 ** Math.min(this.#failures, 10), longestPeriod)
      await wait(Math.max(seconds, this.#deps.options.period_seconds) * 1000, undefined, { signal }).catch(() => {})
    }
  }

  async #readLastLines(): Promise<void> {
    await this.#lastRead
    // Those that do not respond wait until the others were read.
    await this.#read(this.#failures === 0, true)
    if (this.#failures > 0 || this.#isKnown()) return
    await wait(secondReadMilliseconds, undefined, { signal: this.#end.signal }).catch(() => {})
    await this.#read(true, true)
  }

  /** Whether what the log says cannot change any more: it is complete, or has an error. */
  #isKnown(): boolean {
    const { verdict } = this.#log
    return this.#log.hasError || (verdict.result === 'success' && verdict.reason === undefined)
  }

  /** `isLast`: the reply has come, a line without an end counts. */
  #read(isUrgent: boolean, isLast: boolean): Promise<void> {
    this.#lastRead = this.#lastRead.then(() => this.#deps.queue.run(() => this.#readNow(isUrgent, isLast), isUrgent))
    return this.#lastRead
  }

  async #readNow(isUrgent: boolean, isLast: boolean): Promise<void> {
    const { signal } = this.#end
    if (signal.aborted) return
    const { addr, options, lineQueue, onProgress } = this.#deps
    const read = await readLog({ host: addr, port: options.port, path: options.path }, signal)
    if (signal.aborted) return
    if ('problem' in read) {
      this.#failures += 1
      this.#problem = read.problem
      return
    }
    this.#failures = 0
    await lineQueue.run(() => this.#log.read(read.bytes, isLast), isUrgent)
    if (signal.aborted) return
    const { progress } = this.#log
    const text = JSON.stringify(progress)
    if (!progress || text === this.#reported) return
    this.#reported = text
    void onProgress(progress)
  }

  #verdict(isRead: boolean): ReplyVerdict {
    if (this.#log.hasError) return this.#log.verdict
    if (!isRead) return notConfirmed('the log could not be read in time')
    if (this.#failures > 0) return notConfirmed(`the log could not be read: ${this.#problem}`)
    return this.#log.verdict
  }
}
