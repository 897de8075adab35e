// Collects writes to many sockets and sends them together.

export interface WriteBatch {
  write(socket: Sink, bytes: Buffer): void
  /**
   * Runs `work` and sends what it has written when it ends, in the same order. Back-to-back writes to all sockets are
   * faster than writes with other work between them.
   */
  run(work: () => void): void
}

/** The part of a socket that is used here. */
interface Sink {
  write(bytes: Buffer): unknown
}

export function createWriteBatch(): WriteBatch {
  const writes: { socket: Sink; bytes: Buffer }[] = []
  let isRunning = false
  return {
    write(socket, bytes) {
      if (isRunning) writes.push({ socket, bytes })
      else socket.write(bytes)
    },
    run(work) {
      isRunning = true
      try {
        work()
      } finally {
        // Also after an error: the agents that were written to are counted as busy.
        isRunning = false
        for (const { socket, bytes } of writes.splice(0)) socket.write(bytes)
      }
    },
  }
}
