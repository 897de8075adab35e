// Keeps a connection to the daemon: connects again when it is lost.
import { connect, type Socket } from 'node:net'
import type { AgentLog } from './agent-log.ts'
import type { AgentOptions } from './agent-options.ts'

interface DaemonLinkDeps {
  options: Pick<AgentOptions, 'server' | 'port' | 'localAddress'>
  log: AgentLog
  onConnect(socket: Socket): void
  /** An attempt to connect has failed for another reason than the one before. */
  onProblem(problem: string): void
  onClose(): void
}

/** Milliseconds, as agents of the family do it: before the first attempt to connect again, and before the others. */
const [firstDelay, nextDelay] = [2000, 1000]
/** Milliseconds for one attempt, and for the daemon to close its side. */
const timeout = 10_000
/** Milliseconds without data after which the system checks that the daemon's computer is still there. */
const keepAliveDelay = 30_000

export class DaemonLink {
  readonly #deps: DaemonLinkDeps
  #timer: NodeJS.Timeout | undefined
  #socket: Socket | undefined
  /** The reason of the last attempt that failed: it is logged once. */
  #problem = ''
  #isPaused = false

  constructor(deps: DaemonLinkDeps) {
    this.#deps = deps
    this.#open()
  }

  /** Ends the connection when all that was written has left. Resolves when it is closed. */
  async pause(): Promise<void> {
    this.#isPaused = true
    clearTimeout(this.#timer)
    const socket = this.#socket
    if (!socket || socket.closed) return
    const closed = new Promise(resolve => socket.once('close', resolve))
    socket.end()
    socket.setTimeout(timeout)
    await closed
  }

  /** Connects again after `pause`. */
  resume(): void {
    this.#isPaused = false
    this.#open()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#socket?.removeAllListeners('close')
    this.#socket?.destroy()
  }

  #open(): void {
    const { options, log, onConnect, onProblem } = this.#deps
    const { server: host, port, localAddress } = options
    const own = localAddress === '' ? {} : { localAddress, family: 4 }
    const delays = { noDelay: true, keepAlive: true, keepAliveInitialDelay: keepAliveDelay }
    const attempt = connect({ host, port, ...own, ...delays })
    this.#socket = attempt
    let isConnected = false
    attempt.setTimeout(timeout, () => attempt.destroy(new Error(`no answer in ${timeout / 1000} s`)))
    attempt.on('connect', () => {
      isConnected = true
      this.#problem = ''
      attempt.setTimeout(0)
      log.info(`connected to ${host}:${port} from ${attempt.localAddress}`)
      onConnect(attempt)
    })
    attempt.on('error', ({ message }) => {
      if (message === this.#problem) return
      this.#problem = message
      log.info(`${host}:${port}: ${message}`)
      onProblem(message)
    })
    attempt.on('close', () => this.#onClose(isConnected))
  }

  #onClose(wasConnected: boolean): void {
    const { log, onClose } = this.#deps
    if (wasConnected) {
      log.info(this.#isPaused ? 'connection ended' : 'connection lost')
      onClose()
    }
    if (this.#isPaused) return
    this.#timer = setTimeout(() => this.#open(), wasConnected ? firstDelay : nextDelay)
  }
}
