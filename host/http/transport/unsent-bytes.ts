// Limits the bytes of responses that callers do not take: for how long one connection may take none, and of all together.
import { readFile } from 'node:fs/promises'
import { isIPv4, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { ThrottledLog } from '../../log/throttled-log.ts'
import { networkOf, peerOf } from '../../system/networks.ts'

/** Checks without progress after which a connection is closed. Counted, so that a stall of the daemon is no fault of a caller. */
const maxStalledChecks = 10

/** Bytes of all connections together. */
const defaultMaxBytes = 128 * 1024 * 1024

export interface UnsentBytesOptions {
  /** Between two checks. */
  milliseconds?: number
  maxBytes?: number
}

interface Connection {
  /** A number that changes when the system accepts bytes of the connection. */
  accepted: number
  /** Checks since that has changed. */
  stalledChecks: number
  /** The bytes in the system at the first of these checks. */
  sendQueue: number | undefined
  /** Readers of events that take nothing have a rule of their own. */
  isEventStream: boolean
}

export class UnsentBytes {
  readonly #throttledLog: ThrottledLog
  readonly #milliseconds: number
  readonly #maxBytes: number
  readonly #connections = new Map<Socket, Connection>()
  /** Bytes of responses since the bytes of all connections were last added up. */
  #sentBytes = 0
  #timer: NodeJS.Timeout | undefined
  #isChecking = false

  constructor(throttledLog: ThrottledLog, options: UnsentBytesOptions = {}) {
    const { milliseconds = 1000, maxBytes = defaultMaxBytes } = options
    this.#throttledLog = throttledLog
    this.#milliseconds = milliseconds
    this.#maxBytes = maxBytes
  }

  /** To be called when a response may leave unsent bytes: most connections never have any, and cost nothing here. */
  watch(socket: Socket, isEventStream = false): void {
    const connection = this.#connections.get(socket)
    if (connection) connection.isEventStream = isEventStream
    else this.#connections.set(socket, { accepted: 0, stalledChecks: 0, sendQueue: undefined, isEventStream })
    this.#timer ??= setInterval(() => void this.#check(), this.#milliseconds).unref()
  }

  /** To be called with the bytes of each response. */
  count(bytes: number): void {
    this.#sentBytes += bytes
    if (this.#sentBytes > this.#maxBytes / 4) this.#limitTotal()
  }

  async #check(): Promise<void> {
    if (this.#isChecking) return
    if (this.#connections.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
      return
    }
    this.#isChecking = true
    await this.#closeStalled(this.#updateProgress())
    this.#limitTotal()
    this.#isChecking = false
  }

  /** Returns the connections whose bytes in the system are to be looked at. */
  #updateProgress(): [Socket, Connection][] {
    const suspects: [Socket, Connection][] = []
    for (const [socket, connection] of this.#connections) {
      if (socket.destroyed) {
        this.#connections.delete(socket)
        continue
      }
      const accepted = socket.writableLength === 0 ? -1 : acceptedBytes(socket)
      const isStalled = accepted === connection.accepted && accepted !== -1
      connection.accepted = accepted
      connection.stalledChecks = isStalled ? connection.stalledChecks + 1 : 0
      if (connection.isEventStream) continue
      if (connection.stalledChecks === 1 || connection.stalledChecks >= maxStalledChecks) {
        suspects.push([socket, connection])
      }
    }
    return suspects
  }

  /** The system accepts more only when a third of its buffer is free: with slow readers of megabytes that takes minutes. */
  async #closeStalled(suspects: readonly [Socket, Connection][]): Promise<void> {
    if (suspects.length === 0) return
    const queues = await readSendQueues()
    for (const [socket, connection] of suspects) {
      const sendQueue = sendQueueOf(socket, queues)
      if (connection.stalledChecks > 1 && sendQueue === connection.sendQueue) {
        const seconds = (maxStalledChecks * this.#milliseconds) / 1000
        this.#close(socket, `nothing of a response was taken for ${seconds} s`)
      } else Object.assign(connection, { sendQueue, stalledChecks: 1 })
    }
  }

  /** Closes those that read nothing first, and of these the ones with the most bytes. */
  #limitTotal(): void {
    this.#sentBytes = 0
    let total = 0
    for (const { writableLength } of this.#connections.keys()) total += writableLength
    if (total <= this.#maxBytes) return
    const isStalled = ([, { stalledChecks }]: [Socket, Connection]) => Number(stalledChecks > 0)
    const entries = [...this.#connections]
    entries.sort((a, b) => isStalled(b) - isStalled(a) || b[0].writableLength - a[0].writableLength)
    for (const [socket] of entries) {
      if (total <= this.#maxBytes) return
      total -= socket.writableLength
      this.#close(socket, 'too many bytes of responses wait for their callers')
    }
  }

  #close(socket: Socket, reason: string): void {
    this.#connections.delete(socket)
    const address = peerOf(socket)
    this.#throttledLog(`${networkOf(address)} unsent`).warn('rest', `${address}: closed, ${reason}`)
    // With a reset, the system drops what it has accepted. It would try for minutes to send that.
    if (!(socket instanceof TLSSocket)) socket.resetAndDestroy()
    socket.destroy()
  }
}

/** A number that changes with each byte that the system accepts, and with each new response. */
function acceptedBytes(socket: Socket): number {
  // `as`: Node's own timeouts of sockets use this property of its handle; the stream only knows of whole writes.
  const { _handle: handle } = socket as Socket & { _handle?: { writeQueueSize?: number } | null }
  return socket.bytesWritten - (handle?.writeQueueSize ?? 0)
}

/** By both ports and the peer's address. */
type SendQueues = ReadonlyMap<string, number>

/** Columns: number, own address and port, those of the peer, state, and the bytes to send and to read: all hexadecimal. */
const row = /^ *\d+: [\dA-F]+:([\dA-F]{4}) [\dA-F]*([\dA-F]{8}:[\dA-F]{4}) [\dA-F]{2} ([\dA-F]{8}):/gm

/** Empty where the system has no such table. */
async function readSendQueues(): Promise<SendQueues> {
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].map(path => readFile(path, 'latin1').catch(() => ''))
  const queues = new Map<string, number>()
  for (const table of await Promise.all(tables)) {
    for (const [, port = '', peer = '', bytes = ''] of table.matchAll(row)) {
      queues.set(`${port} ${peer}`, Number.parseInt(bytes, 16))
    }
  }
  return queues
}

/** Undefined when it is not known, as for a peer with an IPv6 address. */
function sendQueueOf({ localPort, remoteAddress = '', remotePort }: Socket, queues: SendQueues): number | undefined {
  // A socket for both versions names IPv4 addresses so.
  const address = remoteAddress.replace(/^::ffff:/, '')
  if (!isIPv4(address)) return undefined
  const bytes = address.split('.').map(part => hex(Number(part), 2))
  return queues.get(`${hex(localPort, 4)} ${bytes.reverse().join('')}:${hex(remotePort, 4)}`)
}

const hex = (value = 0, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0')
