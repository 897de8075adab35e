// Bytes that no request comes of: refused on the bare connection, after the answers to what came before them.
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '../system/log.ts'
import { type RefusalStatus, requestName } from './refuse-request.ts'

/** Milliseconds that a refused caller's bytes are read on: left unread they would reset the connection. */
const lingerMilliseconds = 1000

export interface ConnectionErrors {
  /**
   * To be told of every request. Calls `serve` when the requests before it on its connection have been answered, as
   * they may change what it reads; never, when the connection closes after one of them. `waited`: it had to wait for one.
   */
  begin(req: IncomingMessage, res: ServerResponse, serve: (waited: boolean) => void): void
  /** For the server's event `clientError`: `seconds` is what a request may take. */
  error(error: NodeJS.ErrnoException, socket: Socket, seconds: number): void
  /** For the server's event `connect`. */
  connect(req: IncomingMessage, socket: Socket): void
}

export function createConnectionErrors(log: Log): ConnectionErrors {
  const newest = new WeakMap<Socket, ServerResponse>()

  /** Runs `refuse` when the answers to complete requests have gone out. */
  function inTurn(socket: Socket, refuse: () => void): void {
    const last = newest.get(socket)
    if (last?.req.complete && !last.closed) last.once('close', refuse)
    else refuse()
  }

  function refuse({ code, message }: NodeJS.ErrnoException, socket: Socket, seconds: number): void {
    const last = newest.get(socket)
    // The request that the error belongs to, when its head was understood.
    const request = last && !last.req.complete ? last.req : undefined
    if (request && last?.headersSent) return closeWith(socket, '')
    const name = request ? requestName(request) : `request from ${socket.remoteAddress}`
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
      log.warn('rest', `${name}: closed, not complete after ${seconds} s`)
      return void socket.destroy()
    }
    if (code === 'ECONNRESET' || !socket.writable) {
      if (request) log.warn('rest', `${name}: broken off by the caller`)
      return void socket.destroy()
    }
    const status = statusOf(code, message)
    log.warn('rest', `${name}: ${status}, ${message}`)
    closeWith(socket, refusalText(status))
  }

  return {
    begin({ socket }, res, serve) {
      const before = newest.get(socket)
      newest.set(socket, res)
      if (!before || before.closed) return serve(false)
      before.once('close', () => {
        if (socket.writable) serve(true)
      })
    },
    error: (error, socket, seconds) => inTurn(socket, () => refuse(error, socket, seconds)),
    connect: (req, socket) =>
      inTurn(socket, () => {
        log.warn('rest', `${requestName(req)}: 405, neither GET nor POST`)
        closeWith(socket, refusalText(405))
      }),
  }
}

function statusOf(code: string | undefined, message: string): RefusalStatus {
  if (code === 'HPE_INVALID_METHOD' || code === 'HPE_PAUSED_H2_UPGRADE') return 405
  // Of the header, of the number in Content-Length or before a chunk.
  return /overflow/i.test(message) ? 413 : 400
}

const refusalText = (status: RefusalStatus) =>
  `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`

function closeWith(socket: Socket, text: string): void {
  socket.end(text)
  socket.resume()
  setTimeout(() => socket.destroy(), lingerMilliseconds).unref()
}
