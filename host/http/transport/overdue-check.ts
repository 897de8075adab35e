// Has Node look for overdue requests while connections are open, and not while the daemon is idle.
import type { Server } from 'node:http'

/** Milliseconds between two looks while connections are open. */
const checkMilliseconds = 1000

/** The longest time that a timer can have. */
const never = 2 ** 31 - 1

/** Milliseconds without a connection; most callers open one for each request. */
const idleMilliseconds = 10_000

/** The option `connectionsCheckingInterval` of a server that is created without a connection. */
export const idleInterval = never

export class OverdueCheck {
  readonly #server: Server
  readonly #idle: number
  #open = 0
  #isRunning = false
  #timer: NodeJS.Timeout | undefined

  /** For a server that was created with `idleInterval`. After `idle` milliseconds without a connection Node looks no more. */
  constructor(server: Server, idle = idleMilliseconds) {
    this.#server = server
    this.#idle = idle
  }

  /** To be called with the number of open connections whenever it changes. */
  update(open: number): void {
    this.#open = open
    if (open > 0 && !this.#isRunning) this.#start(checkMilliseconds)
    else if (open === 0) this.#timer ??= setTimeout(() => this.#endIfIdle(), this.#idle).unref()
  }

  #endIfIdle(): void {
    this.#timer = undefined
    if (this.#open === 0) this.#start(never)
  }

  /** Node sets its timer when a server begins to listen, and has no other way to change it. */
  #start(connectionsCheckingInterval: number): void {
    if (!this.#server.listening) return
    this.#isRunning = connectionsCheckingInterval !== never
    Object.assign(this.#server, { connectionsCheckingInterval })
    this.#server.emit('listening')
  }
}
