// Whether the server of the connections to PostgreSQL is alive: it has sent something through a socket, or responds.
import { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { type DatabaseError, describeError, isOfServer, isPassing, isTimeout, noResponse } from './database-error.ts'
import { waitForTimeout } from './response-timeout.ts'

/** Milliseconds for the server's response. */
const responseTime = 1200

/** Milliseconds before the server is asked again, and how many connections of the check may end before it is given up. */
const askPause = 100
const mostEnded = 3

export class ServerCheck {
  readonly #open = new Set<Socket>()
  #ofClosed = 0
  readonly #query: () => Promise<unknown>

  /** `query` asks the server for anything. */
  constructor(query: () => Promise<unknown>) {
    this.#query = query
  }

  createSocket(): Socket {
    const socket = new Socket()
    this.#open.add(socket)
    socket.once('close', () => {
      this.#open.delete(socket)
      this.#ofClosed += socket.bytesRead
    })
    return socket
  }

  /** Statements that wait for a response reject with `reason`. */
  destroyAll(reason: unknown): void {
    const error = reason instanceof Error ? reason : new Error(String(reason))
    for (const socket of this.#open) socket.destroy(error)
  }

  /** Bytes that the server has sent so far. */
  get #received(): number {
    let sum = this.#ofClosed
    for (const socket of this.#open) sum += socket.bytesRead
    return sum
  }

  /** A server that sends anything to others is alive: it is busy, or takes no other connection now. */
  async findProblem(): Promise<DatabaseError | undefined> {
    const stop = new AbortController()
    const silence = waitForTimeout(responseTime, stop.signal, () => this.#received)
    try {
      return await Promise.race([silence.then(() => describeError(new Error(noResponse))), this.#ask(stop.signal)])
    } finally {
      stop.abort()
    }
  }

  /**
   * Resolves to the error of the connection. A server that refuses one more connection, for instance, responds. It is asked
   * again when the time to connect is over, and when a connection has ended, which may be that one alone. Rejects when
   * `signal` is aborted.
   */
  async #ask(signal: AbortSignal): Promise<DatabaseError | undefined> {
    const received = this.#received
    for (let ended = 0; ; ) {
      try {
        await this.#query()
        return undefined
      } catch (error) {
        if (isOfServer(error)) return undefined
        const problem = describeError(error)
        if (!isPassing(problem)) return problem
        if (!isTimeout(error)) ended += 1
        if (ended === mostEnded) return this.#received === received ? problem : undefined
      }
      await wait(askPause, undefined, { ref: false, signal })
    }
  }
}
