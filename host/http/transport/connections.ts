// Counts the connections of callers, closes those above the limits, and has the reader of each.
import type { Socket } from 'node:net'
import type { Limits } from '../../config/options.ts'
import type { ThrottledLog } from '../../log/throttled-log.ts'
import { isLoopback, networkOf, peerOf } from '../../system/networks.ts'
import { createTimeSlicer } from '../../system/time-slices.ts'
import { PacedReader } from './paced-reader.ts'
import { UnverifiedBytes } from './unverified-bytes.ts'

const reader = Symbol('reader')

/** A property, as an entry in a WeakMap costs more for a connection with one request. */
type CallerSocket = Socket & { [reader]?: PacedReader }

export class Connections {
  readonly #throttledLog: ThrottledLog
  readonly #counter: ConnectionCounter
  readonly #unverified = { bytes: 0 }
  readonly #slicer = createTimeSlicer()

  /** `onCount` is called with the number of open connections whenever it changes. */
  constructor(limits: Limits, throttledLog: ThrottledLog, onCount: (open: number) => void) {
    this.#throttledLog = throttledLog
    this.#counter = new ConnectionCounter(limits, onCount)
  }

  /** For the server's event `connection`: counts it. Returns false when it was closed, as there are too many. */
  admit(socket: Socket): boolean {
    // A connection that was closed before it was accepted has none.
    const address = peerOf(socket)
    const reason = address === '' ? '' : this.#counter.check(address)
    if (reason !== undefined) {
      if (reason !== '') this.#warn(address, 'connections', reason)
      socket.destroy()
      return false
    }
    this.#counter.change(address, 1)
    socket.on('close', () => this.#counter.change(address, -1))
    return true
  }

  /** Reads in small groups what comes, with TLS through the connection over that one. */
  read(socket: CallerSocket): void {
    // Read now, as a socket knows its address after it has closed only when it was asked before.
    const address = peerOf(socket)
    const bytes = new UnverifiedBytes(this.#unverified, () => {
      this.#warn(address, 'memory', 'too many bytes without a token')
      socket.destroy()
    })
    const network = networkOf(address)
    socket[reader] = new PacedReader(socket, bytes, (work, weight) => this.#slicer(work, weight, network))
    socket.on('close', () => bytes.verify())
  }

  /** Undefined for a connection above the limits. */
  readerOf(socket: CallerSocket): PacedReader | undefined {
    return socket[reader]
  }

  #warn(address: string, kind: string, reason: string): void {
    this.#throttledLog(`${networkOf(address)} ${kind}`).warn('rest', `${address}: closed, ${reason}`)
  }
}

/**
 * Loopback addresses are counted apart, as one stands for many callers where a proxy runs on this machine: callers on the
 * network must not be able to shut these out.
 */
class ConnectionCounter {
  readonly #limits: Limits
  readonly #onCount: (open: number) => void
  /** By network: with IPv6, one machine has as many addresses as it wants. */
  readonly #perNetwork = new Map<string, number>()
  #loopback = 0
  #network = 0

  constructor(limits: Limits, onCount: (open: number) => void) {
    this.#limits = limits
    this.#onCount = onCount
  }

  /** Returns why another connection is not accepted. */
  check(address: string): string | undefined {
    const { connections, connections_per_address: perAddress } = this.#limits
    if ((isLoopback(address) ? this.#loopback : this.#network) >= connections) {
      return `more than ${connections} connections`
    }
    const tooMany = !isLoopback(address) && (this.#perNetwork.get(networkOf(address)) ?? 0) >= perAddress
    return tooMany ? `more than ${perAddress} connections of this address` : undefined
  }

  change(address: string, change: 1 | -1): void {
    if (isLoopback(address)) this.#loopback += change
    else this.#changeNetwork(networkOf(address), change)
    this.#onCount(this.#loopback + this.#network)
  }

  #changeNetwork(network: string, change: 1 | -1): void {
    this.#network += change
    const count = (this.#perNetwork.get(network) ?? 0) + change
    if (count > 0) this.#perNetwork.set(network, count)
    else this.#perNetwork.delete(network)
  }
}
