// Holds back what is written to many until all of it is ready.

export interface WriteBatch {
  write(socket: Sink, bytes: Buffer): void
  /**
   * Does work; what is written meanwhile goes out after it, in its order. Agents that get their bytes run at once: the
   * system calls in one go, with nothing between them, cost less.
   */
  run(work: () => void): void
}

/** What is asked of a socket. */
interface Sink {
  write(bytes: Buffer): unknown
}

export function createWriteBatch(): WriteBatch {
  const held: { socket: Sink; bytes: Buffer }[] = []
  let isHolding = false
  return {
    write(socket, bytes) {
      if (isHolding) held.push({ socket, bytes })
      else socket.write(bytes)
    },
    run(work) {
      isHolding = true
      try {
        work()
      } finally {
        // Also when it has thrown: who was sent something counts as busy.
        isHolding = false
        for (const { socket, bytes } of held.splice(0)) socket.write(bytes)
      }
    },
  }
}
