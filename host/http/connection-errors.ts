// Rejects malformed requests on the raw socket, after the pending responses of that connection.
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '../system/log.ts'
import { type RefusalStatus, requestName } from './refuse-request.ts'

/** Milliseconds to read on after a refusal: unread bytes would reset the connection, and the response would be lost. */
const lingerMilliseconds = 1000

export interface ConnectionErrors {
  /**
   * To be called for every request. Calls `serve` when the earlier requests of its connection have their responses,
   * because they may change what this one reads. Never calls it when the connection has closed by then.
   */
  afterEarlierRequests(req: IncomingMessage, res: ServerResponse, serve: (hasWaited: boolean) => void): void
  /** For the server's event `clientError`. `seconds` is the time limit of a request. */
  refuseMalformed(error: NodeJS.ErrnoException, socket: Socket, seconds: number): void
  /** For the server's event `connect`. */
  refuseConnect(req: IncomingMessage, socket: Socket): void
}

export function createConnectionErrors(log: Log): ConnectionErrors {
  const lastResponses = new WeakMap<Socket, ServerResponse>()

  /** Calls `refuse` when the responses to complete requests have been sent. */
  function afterResponses(socket: Socket, refuse: () => void): void {
    const last = lastResponses.get(socket)
    if (last?.req.complete && !last.closed) last.once('close', refuse)
    else refuse()
  }

  function refuse({ code, message }: NodeJS.ErrnoException, socket: Socket, seconds: number): void {
    const last = lastResponses.get(socket)
    // The request with the error, if its head was parsed.
    const request = last && !last.req.complete ? last.req : undefined
    if (request && last?.headersSent) return closeWith(socket, '')
    const name = request ? requestName(request) : `request from ${socket.remoteAddress}`
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
      log.warn('rest', `${name}: closed, not complete after ${seconds} s`)
      return void socket.destroy()
    }
    if (code === 'ECONNRESET' || !socket.writable) {
      if (request) log.warn('rest', `${name}: aborted by the caller`)
      return void socket.destroy()
    }
    const status = statusOf(code, message)
    log.warn('rest', `${name}: ${status}, ${message}`)
    closeWith(socket, refusalText(status))
  }

  return {
    afterEarlierRequests({ socket }, res, serve) {
      const previous = lastResponses.get(socket)
      lastResponses.set(socket, res)
      if (!previous || previous.closed) return serve(false)
      previous.once('close', () => {
        if (socket.writable) serve(true)
      })
    },
    refuseMalformed: (error, socket, seconds) => afterResponses(socket, () => refuse(error, socket, seconds)),
    refuseConnect: (req, socket) =>
      afterResponses(socket, () => {
        log.warn('rest', `${requestName(req)}: 405, neither GET nor POST`)
        closeWith(socket, refusalText(405))
      }),
  }
}

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
