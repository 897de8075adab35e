// How far the copies are that a log reports: each that begins must reach its own end.
import { toPrintable } from '../log/shown-text.ts'
import { lineCharacters } from './log-lines.ts'
import type { CopyProgress, LogLine } from './log-patterns.ts'

export class Copies {
  #progress: CopyProgress | undefined
  /** The line of the newest progress. */
  #line = ''
  /** A copy has begun, and its end was not read. */
  #isOpen = false
  /** One that was open when the next one began. */
  #isUnfinished = false

  /** Of the newest one. */
  get progress(): CopyProgress | undefined {
    return this.#progress
  }

  /** Why the newest one has failed if nothing follows. */
  get failure(): string | undefined {
    if (!this.#progress || this.#progress.percent === 100) return undefined
    return `ended at ${this.#progress.percent} %: ${this.#line}`
  }

  /** Why copies of which the newest one is at 100 % may be incomplete. */
  get doubt(): string | undefined {
    if (this.#isUnfinished) return 'a copy began before the end of the one before'
    return this.#isOpen ? 'the copy is at 100 %, but its end is not in the log' : undefined
  }

  read(entry: LogLine, line: string): void {
    if (entry.means === 'start') {
      this.#isUnfinished ||= this.#isOpen || this.failure !== undefined
      this.#isOpen = true
      this.#set({ percent: 0 }, line)
    } else if (entry.means === 'done') {
      this.#isOpen = false
      this.#set({ percent: 100 }, line)
    } else if (entry.progress) {
      const { percent = 0 } = this.#progress ?? {}
      const isKnown = percent > 0 && percent < 100
      if (entry.means === 'progress' || !isKnown) this.#set(entry.progress, line)
    }
  }

  /** Lines are missing here: what the lines before said of the newest copy may be old. */
  skip(): void {
    this.#progress = undefined
    this.#isOpen = false
  }

  #set(progress: CopyProgress, line: string): void {
    this.#progress = progress
    this.#line = toPrintable(line, lineCharacters)
  }
}
