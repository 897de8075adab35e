// What the console log of one client says of the command that it is running.
import { stripVTControlCharacters } from 'node:util'
import { toPrintable } from '../system/printable.ts'
import { type CopyProgress, type LogPattern, readLine } from './log-patterns.ts'

/** Characters of a line that becomes a reason. */
const reasonCharacters = 180

/**
 * Expects the texts of successive reads, the first one from when the command began: lines that were there then belong
 * to earlier commands, until a read lacks them.
 */
export class ClientLog {
  readonly #patterns: readonly LogPattern[]
  /** How often each line of earlier commands is in the log; undefined before the first read. */
  #earlier: Map<string, number> | undefined
  /** The first line that reports an error: those after it are mostly its consequences. */
  #error: string | undefined
  #progress: CopyProgress | undefined
  /** The line of the newest progress. */
  #progressLine = ''
  #isComplete = false

  constructor(patterns: readonly LogPattern[]) {
    this.#patterns = patterns
  }

  /** The line that reports an error. */
  get error(): string | undefined {
    return this.#error
  }

  get progress(): CopyProgress | undefined {
    return this.#progress
  }

  get isComplete(): boolean {
    return this.#isComplete
  }

  /** Why the copy has failed when it ends with this progress. */
  get endReason(): string {
    return `ended at ${this.#progress?.percent ?? 0} %: ${this.#progressLine}`
  }

  read(text: string): void {
    const lines = linesOf(text)
    if (!this.#earlier) {
      this.#earlier = countsOf(lines)
      return
    }
    const earlier = this.#earlier
    // Lines of earlier commands that are gone cannot come back: the same text would be of this command.
    const remaining = new Map<string, number>()
    let isOwn = false
    for (const line of lines) {
      const count = remaining.get(line) ?? 0
      if (!isOwn && count < (earlier.get(line) ?? 0)) remaining.set(line, count + 1)
      // What follows a line of this command is of this command, also where an earlier log had the same line.
      else isOwn = this.#readLine(line) || isOwn
    }
    this.#earlier = remaining
  }

  /** Whether the line means anything. */
  #readLine(line: string): boolean {
    const entry = readLine(line, this.#patterns)
    if (!entry) return false
    if (entry.means === 'error') this.#error ??= toPrintable(line, reasonCharacters)
    if (entry.means === 'done') this.#setProgress({ percent: 100 }, line)
    if (entry.progress) this.#setProgress(entry.progress, line)
    return true
  }

  #setProgress(progress: CopyProgress, line: string): void {
    this.#progress = progress
    this.#progressLine = toPrintable(line, reasonCharacters)
    this.#isComplete = progress.percent === 100
  }
}

/** Characters of a line that patterns are tried on: random bytes may have no line ends. */
const lineCharacters = 1000

/** Programs that draw their progress go back to the line's start, or up to the line before. */
const lineEnds = /[\r\n]+|<br ?\/?>/i
const cursorUp = '\x1b[A'

/** The lines without colours. */
function linesOf(text: string): string[] {
  const isPage = page.test(text)
  return stripVTControlCharacters(text.replaceAll(cursorUp, '\n'))
    .split(lineEnds)
    .map(line => line.slice(0, lineCharacters))
    .map(line => (isPage ? withoutMarkup(line) : line).trim())
    .filter(Boolean)
}

/** Some systems serve the log as a page. */
const page = /<(?:html|body|pre)\b/i
const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' }

const withoutMarkup = (line: string): string =>
  line
    .replaceAll(/<\/?[a-z][^<>]{0,200}>/gi, '')
    .replaceAll(/&(lt|gt|amp|quot);/g, (entity, name: string) => entities[name] ?? entity)

function countsOf(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1)
  return counts
}
