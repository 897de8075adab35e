// Watches the clients that run commands with `imaging`: reports their progress, and judges their replies by their logs.
import { setTimeout as wait } from 'node:timers/promises'
import type { Options } from '../config/options.ts'
import { message } from '../log/log.ts'
import type { Events } from '../system/events.ts'
import { withTimeout } from '../system/timeout.ts'
import { ClientLog, notConfirmed, type ReplyVerdict } from './client-log.ts'
import { type CopyProgress, type LineReader, lineReader } from './log-patterns.ts'
import { ReadQueue, readLog } from './read-log.ts'

interface ImagingWatchDeps {
  events: Events
  /** Option `images.log`. */
  options: Options['images']['log']
}

/** Begins to watch a client that is about to be sent a command; `step` is that of its part. */
export type WatchImaging = (addr: string, command: string, step?: WatchedStep) => Pick<WatchedClient, 'judge' | 'end'>

/** The id of the job is 0 until it is stored. */
export interface WatchedStep {
  job: { readonly id: number }
  index: number
}

const parallelReads = 32

/** Undefined when the option `images.log.off` is set. */
export function createImagingWatch({ events, options }: ImagingWatchDeps): WatchImaging | undefined {
  if (options.off) return undefined
  const readLine = lineReader(options.patterns)
  const queue = new ReadQueue(parallelReads)
  const lineQueue = new ReadQueue(1)

  return (addr, command, step) => {
    const onProgress = (progress: CopyProgress) => {
      const job = step?.job.id ?? 0
      if (step && job > 0) events.emit({ type: 'job-progress', job, step: step.index, addr, command, ...progress })
    }
    const client = new WatchedClient({ addr, options, readLine, queue, lineQueue, onProgress })
    return client
  }
}

interface WatchedClientDeps {
  addr: string
  options: { port: number; path: string; period_seconds: number }
  readLine: LineReader
  queue: ReadQueue
  /** For reading the lines, which takes processor time. */
  lineQueue: ReadQueue
  onProgress(progress: CopyProgress): void
}

/** Seconds: a log that cannot be read is read less and less often. */
const longestPeriod = 60

/** Milliseconds after which a log that is not complete is read again: its last lines may come later than the reply. */
const secondReadMilliseconds = 1000

/** Milliseconds from the reply to the verdict: two reads, and what waits before them. */
const verdictMilliseconds = 4500

class WatchedClient {
  readonly #deps: WatchedClientDeps
  readonly #log: ClientLog
  readonly #end = new AbortController()
  /** Ends the periodic reads. */
  readonly #replied = new AbortController()
  /** Reads follow each other: the log needs them in order. */
  #lastRead: Promise<void> = Promise.resolve()
  #failures = 0
  /** Why the last read has failed. */
  #problem: string | undefined
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
    const late = 'the log could not be read in time'
    const lastLines = withTimeout(this.#readLastLines(), verdictMilliseconds, late)
    const problem = await lastLines.then(() => this.#problem, message)
    return problem === undefined || this.#log.hasError ? this.#log.verdict : notConfirmed(problem)
  }

  end(): void {
    this.#replied.abort()
    this.#end.abort()
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
    if (this.#problem !== undefined || this.#isKnown()) return
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
      this.#problem = `the log could not be read: ${read.problem}`
      return
    }
    this.#failures = 0
    this.#problem = undefined
    await lineQueue.run(() => this.#log.read(read.bytes, isLast), isUrgent)
    if (signal.aborted) return
    const { progress } = this.#log
    const text = JSON.stringify(progress)
    if (!progress || text === this.#reported) return
    this.#reported = text
    onProgress(progress)
  }
}
