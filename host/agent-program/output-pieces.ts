// Passes on what a script prints while it runs, in pieces.

/** Milliseconds until the first piece, and from one to the next. */
const [firstDelay, nextDelay] = [250, 1000]

/** Characters of a piece: of what is printed faster the newest. */
const longestPiece = 4096

/** The body of the message: `omitted` characters are missing before `out`. */
export interface OutputPiece {
  out: string
  omitted?: number
}

export class OutputPieces {
  readonly #send: (piece: OutputPiece) => void
  #text = ''
  #omitted = 0
  #isFirst = true
  #timer: NodeJS.Timeout | undefined

  constructor(send: (piece: OutputPiece) => void) {
    this.#send = send
  }

  add(text: string): void {
    const all = this.#text + text
    const tooLong = Math.max(0, all.length - longestPiece)
    this.#text = all.slice(tooLong)
    this.#omitted += tooLong
    this.#timer ??= setTimeout(() => this.#sendPiece(), this.#isFirst ? firstDelay : nextDelay)
  }

  /** The rest; nothing when there was no piece before, as the reply follows. */
  end(): void {
    if (!this.#isFirst) this.#sendPiece()
    this.close()
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #sendPiece(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#text === '') return
    this.#send({ out: this.#text, ...(this.#omitted > 0 && { omitted: this.#omitted }) })
    this.#isFirst = false
    this.#text = ''
    this.#omitted = 0
  }
}
