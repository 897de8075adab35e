// The callers' side: a Koa app whose order is the specification's, on a server that answers nothing by itself.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { Socket } from 'node:net'
import Koa from 'koa'
import { type Log, message } from '../log.ts'
import { allowMethods, checkToken, type GateParts, parseJson, receive } from './gate.ts'
import { rawRefusal, refuseRequest } from './refusal.ts'

/** A request that is not complete by then is closed. */
const requestMilliseconds = 10_000

/** How much more than the request limit Node takes, so that the gate is the one who refuses. */
const headRoom = 64 * 1024

export function createApp(parts: GateParts): Koa {
  const { log } = parts
  const app = new Koa()
  app.on('error', error => log.warn('rest', `an answer was not sent: ${message(error)}`))
  app.use(async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      refuseRequest(ctx, 500, message(error), log)
      log.error('rest', 'a request failed', error)
    }
  })
  app.use(allowMethods(parts))
  app.use(receive(parts))
  app.use(checkToken(parts))
  app.use(parseJson(parts))
  app.use((ctx, next) => ctx.state.table.middleware(ctx, next))
  app.use(ctx => refuseRequest(ctx, 404, 'no route', log))
  return app
}

/** Resolves when the port listens; rejects when it cannot. */
export async function listenForCallers(at: { ip: string; port: number }, parts: GateParts): Promise<Server> {
  const { log, limits } = parts
  const server = createServer({
    maxHeaderSize: limits.request + headRoom,
    requireHostHeader: false,
    requestTimeout: requestMilliseconds,
    connectionsCheckingInterval: 1000,
  })
  // Node drops header fields beyond its count without a word; their bytes are limited already.
  server.maxHeadersCount = 0
  const answer = createApp(parts).callback()
  server.on('request', answer)
  // What Node would answer itself.
  server.on('checkExpectation', answer)
  server.on('connect', (req, socket: Socket) => {
    log.warn('rest', `CONNECT from ${req.socket.remoteAddress}: 405, neither GET nor POST`)
    closeWith(socket, rawRefusal(405))
  })
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuseBroken(error, socket, log))
  server.listen({ host: at.ip, port: at.port, backlog: 4096 })
  await once(server, 'listening')
  server.on('error', error => log.error('rest', 'the listening socket failed', error))
  return server
}

/** Bytes that are no request, or none that Node reads to its end. */
function refuseBroken(error: NodeJS.ErrnoException, socket: Socket, log: Log): void {
  const from = `from ${socket.remoteAddress}`
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    log.warn('rest', `request ${from}: closed, not complete after ${requestMilliseconds / 1000} s`)
    return void socket.destroy()
  }
  const status = error.code === 'HPE_INVALID_METHOD' ? 405 : error.code === 'HPE_HEADER_OVERFLOW' ? 413 : 400
  log.warn('rest', `request ${from}: ${status}, ${error.message}`)
  closeWith(socket, rawRefusal(status))
}

/** Reads on for a moment, so that the refusal is not lost with bytes that were never read. */
function closeWith(socket: Socket, text: string): void {
  socket.end(text)
  socket.resume()
  setTimeout(() => socket.destroy(), 1000).unref()
}
