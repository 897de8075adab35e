// Reads a text line by line, with a look at the lines that follow.

/** Characters of a line: far more than the values of one computer need. */
export const longestLine = 65_536

/** CRLF, CR and LF end a line. */
export const lineEnd = /\r\n?|\n/g

export class LineReader {
  /** The number of the next line, from 1 on. */
  line = 1
  readonly #lines: Iterator<string>
  /** The lines that were read and not consumed, the next one first. */
  readonly #ahead: string[] = []

  constructor(text: string) {
    this.#lines = linesOf(text)
  }

  /** The line `offset` lines after the next one; undefined when there is none. */
  peek(offset = 0): string | undefined {
    while (this.#ahead.length <= offset) {
      const { done, value } = this.#lines.next()
      if (done) return undefined
      this.#ahead.push(value)
    }
    return this.#ahead[offset]
  }

  /** The next lines with line feeds between them; each must have been peeked at. */
  peekMany(count: number): string {
    return this.#ahead.slice(0, count).join('\n')
  }

  consume(count: number): void {
    this.line += this.#ahead.splice(0, count).length
  }
}

function* linesOf(text: string): Generator<string> {
  let start = 0
  for (const { index, 0: end } of text.matchAll(lineEnd)) {
    yield text.slice(start, index)
    start = index + end.length
  }
  yield text.slice(start)
}
