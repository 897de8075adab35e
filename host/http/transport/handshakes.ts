// The TLS handshakes that have not ended: each has little time, and none keeps the daemon from stopping.
import type { Socket } from 'node:net'
import type { ThrottledLog } from '../../log/throttled-log.ts'
import { networkOf, peerOf } from '../../system/networks.ts'

/**
 * From the first to the last byte. Node's own `handshakeTimeout` starts again with each byte, so that it never ends a
 * handshake whose bytes come one by one.
 */
const handshakeMilliseconds = 10_000

/** A timer that is later than so many milliseconds shows that the daemon was stopped: the handshake may wait for it. */
const lateness = 1000

export class Handshakes {
  readonly #throttledLog: ThrottledLog
  readonly #open = new Map<string, { socket: Socket; timer: NodeJS.Timeout }>()

  constructor(throttledLog: ThrottledLog) {
    this.#throttledLog = throttledLog
  }

  /** For a TCP connection. */
  start(socket: Socket): void {
    const name = nameOf(socket)
    let due = performance.now() + handshakeMilliseconds
    const timer = setTimeout(() => {
      const now = performance.now()
      if (now < due + lateness) return this.#refuse(socket)
      due = now + handshakeMilliseconds
      timer.refresh()
    }, handshakeMilliseconds).unref()
    this.#open.set(name, { socket, timer })
    socket.once('close', () => this.#end(name, socket))
  }

  /** For the TLS connection over it. */
  finish(socket: Socket): void {
    const name = nameOf(socket)
    const handshake = this.#open.get(name)
    if (handshake) this.#end(name, handshake.socket)
  }

  close(): void {
    for (const { socket } of this.#open.values()) socket.destroy()
  }

  #refuse(socket: Socket): void {
    const address = peerOf(socket)
    const what = `connection from ${address}: closed, no TLS handshake after ${handshakeMilliseconds / 1000} s`
    this.#throttledLog(`${networkOf(address)} handshake`).warn('rest', what)
    socket.destroy()
  }

  #end(name: string, socket: Socket): void {
    const handshake = this.#open.get(name)
    // The name may be that of a later connection already.
    if (handshake?.socket !== socket) return
    clearTimeout(handshake.timer)
    this.#open.delete(name)
  }
}

/** Both ends of a connection: the same for the TCP connection and the TLS connection over it, which Node does not link. */
const nameOf = ({ localAddress, remoteAddress, remotePort }: Socket): string =>
  `${localAddress} ${remoteAddress} ${remotePort}`
