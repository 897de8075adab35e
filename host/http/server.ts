// The REST API's HTTP server: a Koa app with its steps in the order of the specification.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import Koa from 'koa'
import { message } from '../system/log.ts'
import { createTickBatch } from '../system/time-slices.ts'
import { createConnectionErrors } from './connection-errors.ts'
import { allowMethods, checkToken, type MiddlewareDeps, parseJson, receiveBody } from './middleware.ts'
import { failRequest, refuseRequest, requestName } from './refuse-request.ts'
import type { RequestContext, RequestMiddleware, RequestState } from './request-context.ts'
import { type HandleRequest, routeRequests } from './router.ts'

/** A connection is closed when its request is not complete after this time. */
const requestSeconds = 10

/** Bytes that Node accepts above the request limit, so that the middleware refuses the request and not Node. */
const extraHeadBytes = 64 * 1024

export interface ServerDeps extends MiddlewareDeps {
  /** Answers the requests whose path belongs to a command. */
  handle: HandleRequest
  /** Called once per request. `route` is '' when no command has answered. */
  requested(route: string, status: number, seconds: number): void
}

/** `delayed`: requests that have waited for earlier requests of their connection; their responses are sent at once. */
function createApp(deps: ServerDeps, delayed: WeakSet<IncomingMessage>): Koa<RequestState> {
  const { log } = deps
  const app = new Koa<RequestState>()
  app.on('error', (error: Error, ctx: RequestContext) => {
    // A request that was not complete is already in the log.
    if (ctx.req.complete) log.warn('rest', `${requestName(ctx.req)}: response not sent, ${message(error)}`)
  })
  app.use(finishRequests(deps, delayed))
  app.use(allowMethods(deps))
  app.use(receiveBody(deps))
  app.use(checkToken(deps))
  app.use(parseJson(deps))
  app.use(routeRequests(deps.handle))
  app.use(ctx => refuseRequest(ctx, 404, 'no route', log))
  return app
}

/** Measures each request, answers 500 when a later step throws, and sends the responses of a tick together. */
function finishRequests({ log, requested }: ServerDeps, delayed: WeakSet<IncomingMessage>): RequestMiddleware {
  const endOfTick = createTickBatch()
  return async (ctx, next) => {
    const start = performance.now()
    try {
      await next()
    } catch (error) {
      failRequest(ctx, 'failed', error, log)
    }
    requested(ctx.state.route ?? '', ctx.status, (performance.now() - start) / 1000)
    if (!delayed.has(ctx.req)) await endOfTick()
  }
}

/** Resolves when the port listens; rejects when it cannot. */
export async function listenForCallers({ ip, port }: { ip: string; port: number }, deps: ServerDeps): Promise<Server> {
  const { log, limits } = deps
  const server = createServer({
    maxHeaderSize: limits.request + extraHeadBytes,
    requireHostHeader: false,
    requestTimeout: requestSeconds * 1000,
    connectionsCheckingInterval: 1000,
  })
  // Node silently drops header fields above this count; the request limit already limits their bytes.
  server.maxHeadersCount = 0
  const delayed = new WeakSet<IncomingMessage>()
  const app = createApp(deps, delayed).callback()
  const errors = createConnectionErrors(log)
  const serve = (req: IncomingMessage, res: ServerResponse) =>
    errors.afterEarlierRequests(req, res, hasWaited => {
      if (hasWaited) delayed.add(req)
      void app(req, res)
    })
  server.on('request', serve)
  // Without listeners for these events, Node sends responses of its own.
  server.on('checkContinue', serve)
  server.on('checkExpectation', serve)
  server.on('connect', (req, socket: Socket) => errors.refuseConnect(req, socket))
  server.on('clientError', (error, socket: Socket) => errors.refuseMalformed(error, socket, requestSeconds))
  server.listen({ host: ip, port, backlog: 4096 })
  await once(server, 'listening')
  server.on('error', error => log.error('rest', 'the listening socket failed', error))
  return server
}
