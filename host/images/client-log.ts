// What the console log of one client says of the command that it is running.
import { toPrintable } from '../log/shown-text.ts'
import { createPause } from '../system/time-slices.ts'
import { Copies } from './copies.ts'
import { LogPage, lineCharacters, rawLines } from './log-lines.ts'
import type { CopyProgress, LineReader, LogLine } from './log-patterns.ts'

/** What a log makes of a reply that means success; the reason of a success is why it could not be confirmed. */
export interface ReplyVerdict {
  result: 'success' | 'failure'
  reason?: string
}

export const notConfirmed = (why: string): ReplyVerdict => ({ result: 'success', reason: `not confirmed: ${why}` })

/** Lines of earlier commands that are remembered; a log of six hours has fewer. */
const maxEarlierLines = 20_000

/** Bytes before the end of a read by which the next one is known to be the same log, longer. */
const endBytes = 4096

/** By as many of its last lines that mean something a page is known to go on. */
const recentLines = 3

/** Milliseconds of reading lines in one tick. */
const tickMilliseconds = 5

/**
 * Expects what successive reads got, the first one from when the command began: lines that were there then belong to
 * earlier commands, until a read lacks them.
 */
export class ClientLog {
  readonly #readLine: LineReader
  /** How often each line of earlier commands may be in the log. */
  #earlier = new Map<string, number>()
  /** How many of them were in it since it began. */
  #seen = new Map<string, number>()
  #isFirstRead = true
  /** The first line that reports an error: those after it are mostly its consequences. */
  #error: string | undefined
  /** Lines may have come and gone between two reads. */
  #hasGap = false
  #hasTooMany = false
  /** A read has lacked lines of earlier commands: then all that is there may be of this one. */
  #isReplaced = false

  // Of the log as it was read so far; begins anew when the log does.
  #page = new LogPage()
  #copies = new Copies()
  /** Whether a line of this command was read. */
  #isOwn = false
  /** How many lines of earlier commands were not found again yet. */
  #gone = 0
  /** Bytes that were read, which end with a line. */
  #position = 0
  /** The last ones of them. */
  #end = Buffer.alloc(0)
  /** The newest lines that mean something, but for the last line, which may be half. */
  #recent: string[] = []
  #last: string | undefined
  /** Those of the read before, which must be in this one. */
  #missing: readonly string[] = []

  constructor(readLine: LineReader) {
    this.#readLine = readLine
  }

  get progress(): CopyProgress | undefined {
    return this.#isOwn ? this.#copies.progress : undefined
  }

  /** Whatever follows, the command has failed. */
  get hasError(): boolean {
    return this.#error !== undefined
  }

  /** What it makes of a success. */
  get verdict(): ReplyVerdict {
    const failure = this.#error ?? (this.#isOwn ? this.#copies.failure : undefined)
    if (failure !== undefined) return { result: 'failure', reason: failure }
    const doubt = this.#doubt()
    return doubt === undefined ? { result: 'success' } : notConfirmed(doubt)
  }

  #doubt(): string | undefined {
    if (this.#hasTooMany) return 'the log has too many lines of earlier commands'
    if (this.#hasGap) return 'the log began again between two reads'
    if (this.#page.isCut) return 'the page leaves lines of the log out'
    return this.progress ? this.#copies.doubt : 'the log says nothing about this command'
  }

  /** Lets the event loop run in between. `isLast`: reads a last line without an end, too. */
  async read(bytes: Buffer, isLast = false): Promise<void> {
    if (!this.#goesOn(bytes)) this.#beginAnew()
    const end = Math.max(bytes.lastIndexOf('\n'), bytes.lastIndexOf('\r')) + 1
    const pause = createPause(tickMilliseconds)
    for (const raw of rawLines(bytes.toString('utf8', this.#position, isLast ? bytes.length : end))) {
      this.#readRaw(raw)
      const tick = pause()
      if (tick) await tick
    }
    if (this.#missing.length > 0) this.#hasGap = true
    this.#missing = []
    // Lines of earlier commands that are gone cannot come back: the same text would be of this command.
    this.#earlier = this.#seen
    if (this.#isFirstRead) this.#copies = new Copies()
    else this.#isReplaced ||= this.#gone > 0
    this.#isFirstRead = false
    // After half a line the next read has to begin anew.
    this.#position = isLast ? Number.POSITIVE_INFINITY : end
    this.#end = Buffer.from(bytes.subarray(Math.max(0, end - endBytes), end))
  }

  /** Whether the log is the same as before with more lines, as far as can be known. */
  #goesOn(bytes: Buffer): boolean {
    const position = this.#position
    return position <= bytes.length && this.#end.equals(bytes.subarray(position - this.#end.length, position))
  }

  #beginAnew(): void {
    this.#seen = new Map()
    this.#page = new LogPage()
    this.#copies = new Copies()
    this.#missing = this.#isOwn ? this.#recent : []
    this.#isOwn = false
    this.#gone = [...this.#earlier.values()].reduce((sum, count) => sum + count, 0)
    this.#position = 0
    this.#recent = []
    this.#last = undefined
  }

  #readRaw(raw: string): void {
    const page = this.#page
    const wasInFirstArea = page.isInFirstArea
    const texts = page.read(raw)
    if (wasInFirstArea && !page.isInFirstArea) {
      this.#last = undefined
      if (page.isCut) this.#copies.skip()
    }
    for (const text of texts) {
      const entry = this.#readLine(text)
      // A copy: a part of a string keeps all of it in memory.
      const line = entry && Buffer.from(text).toString()
      if (!page.isTail) this.#remember(line)
      if (entry && line !== undefined) this.#readEntry(entry, line)
    }
  }

  #remember(line: string | undefined): void {
    if (this.#last !== undefined) this.#recent = [...this.#recent, this.#last].slice(-recentLines)
    this.#last = line
    const newest = this.#recent.slice(-this.#missing.length)
    if (this.#missing.every((each, at) => each === newest[at])) this.#missing = []
  }

  #readEntry(entry: LogLine, line: string): void {
    if (this.#isEarlier(line)) this.#gone = Math.max(0, this.#gone - 1)
    // What follows a line of this command is of this command, also where an earlier log had the same line. So is what
    // comes before it, unless it is all that the earlier log had.
    else if (!this.#isOwn) {
      this.#isOwn = true
      if (this.#gone === 0 && !this.#isReplaced) this.#copies = new Copies()
    }
    if (entry.means !== 'error') this.#copies.read(entry, line)
    else if (this.#isOwn) this.#error ??= toPrintable(line, lineCharacters)
  }

  #isEarlier(line: string): boolean {
    const count = this.#seen.get(line) ?? 0
    if (!this.#isFirstRead && (this.#isOwn || count >= (this.#earlier.get(line) ?? 0))) return false
    if (this.#seen.size < maxEarlierLines || count > 0) this.#seen.set(line, count + 1)
    else this.#hasTooMany = true
    return true
  }
}
