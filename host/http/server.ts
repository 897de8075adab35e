// The callers' side: a Koa app whose order is the specification's, on a server that answers nothing by itself.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import Koa from 'koa'
import { message } from '../system/log.ts'
import { createTickBatch } from '../system/time-slices.ts'
import { createConnectionErrors } from './connection-errors.ts'
import { allowMethods, checkToken, type MiddlewareDeps, parseJson, receive } from './middleware.ts'
import { failRequest, refuseRequest, requestName } from './refuse-request.ts'

/** A request that is not complete by then is closed. */
const requestSeconds = 10

/** How much more than the request limit Node takes, so that the gate is the one who refuses. */
const headRoom = 64 * 1024

/** `late`: requests that are answered at once, as they have waited for those before them on their connection. */
export function createApp(parts: MiddlewareDeps, late: WeakSet<IncomingMessage>): Koa {
  const { log, requested } = parts
  const app = new Koa()
  const endOfTick = createTickBatch()
  app.on('error', (error, ctx) => {
    // A request that was broken off is told of by whoever read it.
    if (ctx.req.complete) log.warn('rest', `${requestName(ctx.req)}: the answer was not sent, ${message(error)}`)
  })
  app.use(async (ctx, next) => {
    const began = performance.now()
    try {
      await next()
    } catch (error) {
      failRequest(ctx, 'failed', error, log)
    }
    requested(ctx.state.route ?? '', ctx.status, (performance.now() - began) / 1000)
    if (!late.has(ctx.req)) await endOfTick()
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
export async function listenForCallers(at: { ip: string; port: number }, parts: MiddlewareDeps): Promise<Server> {
  const { log, limits } = parts
  const server = createServer({
    maxHeaderSize: limits.request + headRoom,
    requireHostHeader: false,
    requestTimeout: requestSeconds * 1000,
    connectionsCheckingInterval: 1000,
  })
  // Node drops header fields beyond its count without a word; their bytes are limited already.
  server.maxHeadersCount = 0
  const late = new WeakSet<IncomingMessage>()
  const app = createApp(parts, late).callback()
  const broken = createConnectionErrors(log)
  const answer = (req: IncomingMessage, res: ServerResponse) =>
    broken.begin(req, res, waited => {
      if (waited) late.add(req)
      void app(req, res)
    })
  server.on('request', answer)
  // What Node would answer itself.
  server.on('checkContinue', answer)
  server.on('checkExpectation', answer)
  server.on('connect', (req, socket: Socket) => broken.connect(req, socket))
  server.on('clientError', (error, socket: Socket) => broken.error(error, socket, requestSeconds))
  server.listen({ host: at.ip, port: at.port, backlog: 4096 })
  await once(server, 'listening')
  server.on('error', error => log.error('rest', 'the listening socket failed', error))
  return server
}
