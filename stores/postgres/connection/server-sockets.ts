// The sockets of the connections to PostgreSQL: what the server has sent through them shows that it is alive.
import { Socket } from 'node:net'

export class ServerSockets {
  readonly #open = new Set<Socket>()
  #ofClosed = 0

  create(): Socket {
    const socket = new Socket()
    this.#open.add(socket)
    socket.once('close', () => {
      this.#open.delete(socket)
      this.#ofClosed += socket.bytesRead
    })
    return socket
  }

  /** Bytes that the server has sent so far. */
  get received(): number {
    let sum = this.#ofClosed
    for (const socket of this.#open) sum += socket.bytesRead
    return sum
  }

  /** Statements that wait for a response reject with `reason`. */
  destroyAll(reason: unknown): void {
    const error = reason instanceof Error ? reason : new Error(String(reason))
    for (const socket of this.#open) socket.destroy(error)
  }
}
