// Keeps the responses of a connection in order, and refuses malformed and overdue requests on its socket after them.
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { ThrottledLog } from '../../log/throttled-log.ts'
import { networkOf, peerOf } from '../../system/networks.ts'
import { requestName } from '../refuse.ts'
import type { RefusalStatus } from '../request-context.ts'
import type { Connections } from './connections.ts'

/** Milliseconds to read on after a refusal: unread bytes would reset the connection, and the response would be lost. */
const lingerMilliseconds = 1000

/** Milliseconds that an overdue request still has: its rest may have arrived while the daemon itself was stopped. */
const graceMilliseconds = 500

/** Milliseconds in which the requests before a CONNECT must have their responses. */
const connectMilliseconds = 10_000

const lastResponse = Symbol('last response')

/** The response to the last request of the connection. A property, as an entry in a WeakMap costs more. */
type CallerSocket = Socket & { [lastResponse]?: ServerResponse }

/** Of OpenSSL; its message also names addresses and source files. */
interface TlsError extends NodeJS.ErrnoException {
  reason?: string
}

export class ConnectionErrors {
  readonly #throttledLog: ThrottledLog
  readonly #connections: Pick<Connections, 'readerOf'>
  /** Connections with a CONNECT: Node's server knows them no more, and neither closes them nor stops without them. */
  readonly #detached = new Set<Socket>()

  constructor(throttledLog: ThrottledLog, connections: Pick<Connections, 'readerOf'>) {
    this.#throttledLog = throttledLog
    this.#connections = connections
  }

  /**
   * To be called for every request. Calls `serve` when the earlier requests of its connection have their responses,
   * because they may change what this one reads. Never calls it when the connection has closed by then.
   */
  afterEarlierRequests(
    { socket }: { socket: CallerSocket },
    res: ServerResponse,
    serve: (hasWaited: boolean) => void,
  ): void {
    const previous = lastOf(socket)
    socket[lastResponse] = res
    if (!previous || previous.closed) return serve(false)
    previous.once('close', () => {
      if (socket.writable) serve(true)
    })
  }

  /** For the server's event `clientError`. */
  refuseMalformed(error: NodeJS.ErrnoException, socket: Socket): void {
    this.#connections.readerOf(socket)?.discard()
    this.#afterResponses(socket, () => this.#refuse(error, socket))
  }

  /** For that event with a connection whose TLS handshake has failed. */
  refuseHandshake({ code, message, reason }: TlsError, socket: Socket): void {
    socket.destroy()
    // A connection without a request is no line without TLS either.
    if (code === 'ECONNRESET') return
    const what = code === 'ERR_SSL_HTTP_REQUEST' ? 'the request is plain HTTP' : `no TLS, ${reason ?? message}`
    this.#warn(socket, 'handshake', `connection from ${peerOf(socket)}: closed, ${what}`)
  }

  /** For that event with a request that is not complete in time; `seconds` is the limit. */
  refuseOverdue(socket: Socket, seconds: number): void {
    const last = lastOf(socket)
    const complete = last?.req.complete ? last : undefined
    const close = () => this.#closeOverdue(socket, complete, seconds)
    const check = () => this.#afterResponses(socket, close)
    // Bytes that wait for earlier responses are no fault of the caller.
    this.#connections.readerOf(socket)?.whenEmpty(() => setTimeout(check, graceMilliseconds).unref())
  }

  /** For the server's event `timeout`: closes a connection without a request, unless the next one has arrived. */
  closeIdle(socket: Socket): void {
    const { bytesRead } = socket
    setImmediate(() => {
      if (socket.bytesRead === bytesRead) socket.destroy()
    })
  }

  /** For the server's event `connect`. */
  refuseConnect(req: IncomingMessage, socket: Socket): void {
    // Node has removed its own listeners from the socket: without one, a reset would be an uncaught exception.
    socket.on('error', () => socket.destroy())
    this.#detached.add(socket)
    socket.once('close', () => this.#detached.delete(socket))
    setTimeout(() => socket.destroy(), connectMilliseconds).unref()
    this.#connections.readerOf(socket)?.discard()
    this.#afterResponses(socket, () => {
      this.#warn(socket, '405', `${requestName(req)}: 405, neither GET nor POST`)
      closeWith(socket, refusalText(405))
    })
  }

  /** For the end of the server. */
  closeDetached(): void {
    for (const socket of this.#detached) socket.destroy()
  }

  /** Calls `refuse` when the responses to complete requests have been sent. */
  #afterResponses(socket: Socket, refuse: () => void): void {
    const last = lastOf(socket)
    if (last?.req.complete && !last.closed) last.once('close', refuse)
    else refuse()
  }

  #refuse({ code, message }: NodeJS.ErrnoException, socket: Socket): void {
    const last = lastOf(socket)
    // The request with the error, if its head was parsed.
    const request = last && !last.req.complete ? last.req : undefined
    if (request && last?.headersSent) return closeWith(socket, '')
    const name = request ? requestName(request) : `request from ${peerOf(socket)}`
    if (code === 'ECONNRESET' || !socket.writable) {
      if (request) this.#warn(socket, 'aborted', `${name}: aborted by the caller`)
      return void socket.destroy()
    }
    const status = statusOf(code, message)
    this.#warn(socket, message, `${name}: ${status}, ${message}`)
    closeWith(socket, refusalText(status))
  }

  /** `complete` is the response to the last request that was complete before the grace time. */
  #closeOverdue(socket: Socket, complete: ServerResponse | undefined, seconds: number): void {
    const last = lastOf(socket)
    const isComplete = last?.req.complete === true
    if (socket.destroyed || (isComplete && last !== complete)) return
    const name = last && !isComplete ? requestName(last.req) : `request from ${peerOf(socket)}`
    const isRefused = last?.headersSent && !isComplete
    if (!isRefused) this.#warn(socket, 'overdue', `${name}: closed, not complete after ${seconds} s`)
    socket.destroy()
  }

  #warn(socket: Socket, kind: string, what: string): void {
    this.#throttledLog(`${networkOf(peerOf(socket))} ${kind}`).warn('rest', what)
  }
}

const lastOf = (socket: CallerSocket): ServerResponse | undefined => socket[lastResponse]

function statusOf(code: string | undefined, message: string): RefusalStatus {
  if (code === 'HPE_INVALID_METHOD' || code === 'HPE_PAUSED_H2_UPGRADE') return 405
  // The parser reports an overflow of the headers, of Content-Length and of a chunk's size.
  return /overflow/i.test(message) ? 413 : 400
}

const refusalText = (status: RefusalStatus) =>
  `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`

function closeWith(socket: Socket, text: string): void {
  socket.end(text)
  socket.resume()
  setTimeout(() => socket.destroy(), lingerMilliseconds).unref()
}
