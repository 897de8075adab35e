// Limits the memory for requests of unknown callers: heads that are not complete, and bodies without the right token.

/** Bytes of one request that are not counted, so that ordinary requests are never refused: their heads are shorter. */
const uncountedBytes = 16 * 1024

/** Bytes of all connections together that may exceed those. The parser needs about twice the memory. */
const maxBytes = 64 * 1024 * 1024

/** The bytes of all connections of a server that are counted. */
interface ByteTotal {
  bytes: number
}

/** The bytes of the requests of one connection. */
export class UnverifiedBytes {
  readonly #total: ByteTotal
  readonly #exceeded: () => void
  #bytes = 0
  #counted = 0
  #isVerified = false

  /** `exceeded` is called when the bytes of all connections are too many, and this one has a part in it. */
  constructor(total: ByteTotal, exceeded: () => void) {
    this.#total = total
    this.#exceeded = exceeded
  }

  add(bytes: number): void {
    if (this.#isVerified) return
    this.#set(this.#bytes + bytes)
    if (this.#counted > 0 && this.#total.bytes > maxBytes) this.#exceeded()
  }

  /** The head of a request is complete. */
  startRequest(): void {
    this.#isVerified = false
    this.#set(0)
  }

  /** The token of the current request is right, or the connection has closed: its bytes are no longer counted. */
  verify(): void {
    this.#isVerified = true
    this.#set(0)
  }

  #set(bytes: number): void {
    this.#bytes = bytes
    const counted = Math.max(0, bytes - uncountedBytes)
    this.#total.bytes += counted - this.#counted
    this.#counted = counted
  }
}
