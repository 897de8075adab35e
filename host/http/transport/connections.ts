// Counts the connections of callers, closes those above the limits, and has the reader of each.
import type { Socket } from 'node:net'
import type { Limits } from '../../config/options.ts'
import type { LimitedLog } from '../../log/limited-log.ts'
import { isLoopback, networkOf, peerOf } from '../../system/networks.ts'
import { createTimeSlicer } from '../../system/time-slices.ts'
import { PacedReader } from './paced-reader.ts'
import { UnverifiedBytes } from './unverified-bytes.ts'

export interface Connections {
  /** For the server's event `connection`. */
  add(socket: Socket): void
  /** The same in two steps, for TLS: counts the TCP connection. Returns false when it was closed, as there are too many. */
  admit(socket: Socket): boolean
  /** Reads in small groups what comes through the TLS connection over it. */
  read(socket: Socket): void
  /** Undefined for a connection above the limits. */
  readerOf(socket: Socket): PacedReader | undefined
}

const reader = Symbol('reader')

/** A property, as an entry in a WeakMap costs more for a connection with one request. */
type CallerSocket = Socket & { [reader]?: PacedReader }

export function createConnections(limits: Limits, limitedLog: LimitedLog): Connections {
  const unverified = { bytes: 0 }
  const slicer = createTimeSlicer()
  const counter = new ConnectionCounter(limits)
  const warn = (address: string, kind: string, reason: string) =>
    limitedLog(`${networkOf(address)} ${kind}`).warn('rest', `${address}: closed, ${reason}`)

  /** Returns the address when the connection is accepted: it is counted then. */
  function count(socket: Socket): string | undefined {
    // A connection that was closed before it was accepted has none.
    const address = peerOf(socket)
    const reason = address === '' ? '' : counter.check(address)
    if (reason !== undefined) {
      if (reason !== '') warn(address, 'connections', reason)
      socket.destroy()
      return undefined
    }
    counter.change(address, 1)
    return address
  }

  function pace(socket: CallerSocket, address: string): UnverifiedBytes {
    const bytes = new UnverifiedBytes(unverified, () => {
      warn(address, 'memory', 'too many bytes without a token')
      socket.destroy()
    })
    socket[reader] = new PacedReader(socket, bytes, (work, weight) => slicer(work, weight, networkOf(address)))
    return bytes
  }

  return {
    admit(socket) {
      const address = count(socket)
      if (address === undefined) return false
      socket.on('close', () => counter.change(address, -1))
      return true
    },
    read(socket) {
      // Read now, as a socket knows its address after it has closed only when it was asked before.
      const bytes = pace(socket, peerOf(socket))
      socket.on('close', () => bytes.close())
    },
    add(socket) {
      const address = count(socket)
      if (address === undefined) return
      const bytes = pace(socket, address)
      socket.on('close', () => {
        counter.change(address, -1)
        bytes.close()
      })
    },
    readerOf: (socket: CallerSocket) => socket[reader],
  }
}

/**
 * Loopback addresses are counted apart, as one stands for many callers where a proxy runs on this machine: callers on the
 * network must not be able to shut these out.
 */
class ConnectionCounter {
  readonly #limits: Limits
  /** By network: with IPv6, one machine has as many addresses as it wants. */
  readonly #perNetwork = new Map<string, number>()
  #loopback = 0
  #network = 0

  constructor(limits: Limits) {
    this.#limits = limits
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
  }

  #changeNetwork(network: string, change: 1 | -1): void {
    this.#network += change
    const count = (this.#perNetwork.get(network) ?? 0) + change
    if (count > 0) this.#perNetwork.set(network, count)
    else this.#perNetwork.delete(network)
  }
}
