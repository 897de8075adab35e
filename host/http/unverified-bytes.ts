// Limits the memory for requests of unknown callers: heads that are not complete, and bodies without the right token.

/** Bytes of one request that are not counted, so that ordinary requests are never refused: their heads are shorter. */
const uncountedBytes = 16 * 1024

/** Bytes of all connections together that may exceed those. The parser needs about twice the memory. */
const maxBytes = 64 * 1024 * 1024

/** The bytes of the requests of one connection. */
export interface UnverifiedBytes {
  /** Calls `exceeded` when these bytes are too many. */
  add(bytes: number): void
  /** The head of a request is complete. */
  startRequest(): void
  /** The token of the current request is right: its bytes are no longer counted. */
  verify(): void
  /** The connection has closed. */
  close(): void
}

/** Creates the counters of a server's connections. */
export function createUnverifiedBytes(): (exceeded: () => void) => UnverifiedBytes {
  let total = 0
  return exceeded => {
    let bytes = 0
    let counted = 0
    let isVerified = false
    const setBytes = (value: number) => {
      bytes = value
      const above = Math.max(0, bytes - uncountedBytes)
      total += above - counted
      counted = above
    }
    return {
      add(more) {
        if (isVerified) return
        setBytes(bytes + more)
        if (counted > 0 && total > maxBytes) exceeded()
      },
      startRequest() {
        isVerified = false
        setBytes(0)
      },
      verify() {
        isVerified = true
        setBytes(0)
      },
      close() {
        isVerified = true
        setBytes(0)
      },
    }
  }
}
