// The REST API's HTTP server: a Koa app with its steps in the order of the specification.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { Socket } from 'node:net'
import Koa from 'koa'
import type { Audit } from '../access/audit.ts'
import type { Certificate } from '../config/certificate.ts'
import { type Log, message } from '../log/log.ts'
import { createTickBatch } from '../system/time-slices.ts'
import { auditRequest } from './audit-request.ts'
import { createProxyReader } from './caller-address.ts'
import {
  allowMethods,
  checkToken,
  limitLength,
  type MiddlewareDeps,
  maxHeadBytes,
  parseJson,
  receiveBody,
  redirectBrowsers,
  refuseForeignPages,
  runChecks,
} from './middleware.ts'
import { failRequest, refuseRequest, requestName } from './refuse-request.ts'
import type { RequestContext, RequestMiddleware, RequestState } from './request-context.ts'
import { sendPrepared } from './response.ts'
import { type HandleRequest, routeRequests } from './router.ts'
import { ConnectionErrors } from './transport/connection-errors.ts'
import { type Connections, createConnections } from './transport/connections.ts'
import { Handshakes } from './transport/handshakes.ts'
import { idleInterval, OverdueCheck } from './transport/overdue-check.ts'
import { UnsentBytes } from './transport/unsent-bytes.ts'

/** A connection is closed when its request is not complete after this time. */
const requestSeconds = 10

/** Bytes that Node accepts above the limit of a head, so that the middleware refuses most of them and not Node. */
const extraHeadBytes = 8 * 1024

/** Milliseconds that running requests have to finish when the daemon stops. */
const graceMilliseconds = 1000

export interface ServerDeps extends MiddlewareDeps {
  log: Log
  /** Answers the requests whose path belongs to a command. */
  handle: HandleRequest
  audit: Audit
  /** Called once per request. `route` is '' when no command has answered. */
  requested(route: string, status: number, seconds: number): void
  /** With one, the server speaks TLS only. */
  certificate: Certificate | undefined
}

/** `delayed`: requests that have waited for earlier requests of their connection; their responses are sent at once. */
function createApp(deps: ServerDeps, delayed: WeakSet<IncomingMessage>, { readerOf }: Connections): Koa<RequestState> {
  const { log, limitedLog } = deps
  const app = new Koa<RequestState>()
  app.on('error', (error: NodeJS.ErrnoException, ctx: RequestContext) => {
    // A reader of a stream leaves when it has read enough.
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE') return
    // A request that was not complete is already in the log.
    if (ctx.req.complete) log.warn('rest', `${requestName(ctx.req)}: response not sent, ${message(error)}`)
  })
  app.use(finishRequests(deps, delayed))
  app.use(
    runChecks([
      allowMethods(deps),
      limitLength(deps),
      refuseForeignPages(deps),
      redirectBrowsers(),
      checkToken(deps, ctx => readerOf(ctx.req.socket)?.verify()),
    ]),
  )
  app.use(receiveBody(deps))
  app.use(parseJson(deps))
  app.use(routeRequests(deps.handle))
  app.use(ctx => refuseRequest(ctx, 404, 'no route', limitedLog))
  return app
}

/** Measures each request, answers 500 when a later step throws, and sends the responses of a tick together. */
function finishRequests(
  { limitedLog, requested, audit }: ServerDeps,
  delayed: WeakSet<IncomingMessage>,
): RequestMiddleware {
  const unsent = new UnsentBytes(limitedLog)
  const endOfTick = createTickBatch()
  return async (ctx, next) => {
    const start = performance.now()
    try {
      await next()
    } catch (error) {
      failRequest(ctx, 'failed', error, limitedLog)
    }
    requested(ctx.state.route ?? '', ctx.res.statusCode, (performance.now() - start) / 1000)
    auditRequest(ctx, audit)
    if (!delayed.has(ctx.req)) await endOfTick()
    sendPrepared(ctx)
    countResponse(ctx, unsent)
  }
}

function countResponse(ctx: RequestContext, unsent: UnsentBytes): void {
  const { socket } = ctx.req
  const { json } = ctx.state
  if (json) {
    unsent.count(json.body.length)
    if (socket.writableLength > 0) unsent.watch(socket)
    return
  }
  // Koa sends these later.
  const { body } = ctx
  if (typeof body === 'string' || body instanceof Uint8Array) unsent.count(body.length)
  if (body) unsent.watch(socket, ctx.type === 'text/event-stream')
}

export interface CallerServer {
  /** The port in use; with port 0 in the options the system chooses it. */
  port: number
  /** Running requests have a second to finish. */
  close(): Promise<void>
}

/** Resolves when the port listens; rejects when it cannot. */
export async function listenForCallers(
  rest: { ip: string; port: number; proxies: readonly string[] },
  deps: ServerDeps,
): Promise<CallerServer> {
  const { log, limitedLog, limits, certificate } = deps
  const server = createHttpServer(deps)
  const delayed = new WeakSet<IncomingMessage>()
  const overdueCheck = new OverdueCheck(server)
  const connections = createConnections(limits, limitedLog, open => overdueCheck.update(open))
  const handshakes = new Handshakes(limitedLog)
  const app = createApp(deps, delayed, connections).callback()
  const errors = new ConnectionErrors({ limitedLog, readerOf: connections.readerOf })
  const readProxy = createProxyReader(rest)
  const serve = (req: IncomingMessage, res: ServerResponse) => {
    readProxy(req)
    connections.readerOf(req.socket)?.count(res)
    errors.afterEarlierRequests(req, res, hasWaited => {
      if (hasWaited) delayed.add(req)
      void app(req, res)
    })
  }
  if (certificate) {
    server.on('connection', (socket: Socket) => {
      if (connections.admit(socket)) handshakes.start(socket)
    })
    server.on('secureConnection', (socket: Socket) => {
      handshakes.finish(socket)
      connections.read(socket)
    })
  } else server.on('connection', connections.add)
  server.on('timeout', (socket: Socket) => errors.closeIdle(socket))
  server.on('request', serve)
  // Without listeners for these events, Node sends responses of its own.
  server.on('checkContinue', serve)
  server.on('checkExpectation', serve)
  server.on('connect', (req, socket: Socket) => errors.refuseConnect(req, socket))
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (certificate && !connections.readerOf(socket)) errors.refuseHandshake(error, socket)
    else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') errors.refuseOverdue(socket, requestSeconds)
    else errors.refuseMalformed(error, socket)
  })
  server.listen({ host: rest.ip, port: rest.port, backlog: 4096 })
  await once(server, 'listening')
  server.on('error', error => log.error('rest', 'the listening socket failed', error))
  const address = server.address()
  return {
    port: address instanceof Object ? address.port : 0,
    close() {
      handshakes.close()
      return closeServer(server, errors)
    },
  }
}

/** With a certificate, its renewals are in force for later handshakes; open connections stay. */
function createHttpServer({ certificate }: ServerDeps): Server {
  const options = {
    maxHeaderSize: maxHeadBytes + extraHeadBytes,
    requireHostHeader: false,
    requestTimeout: requestSeconds * 1000,
    connectionsCheckingInterval: idleInterval,
  }
  // Most connections have one response, sent at once: only others need this, and it is set for them then.
  const noDelay = false
  const server = certificate ? createTlsServer(certificate, options) : createServer({ ...options, noDelay })
  // Node silently drops header fields above this count; their bytes are limited.
  server.maxHeadersCount = 0
  return server
}

function createTlsServer(certificate: Certificate, options: ServerOptions): Server {
  const server = createSecureServer({ ...options, ...certificate.context })
  certificate.onRenewed(context => server.setSecureContext(context))
  return server
}

async function closeServer(server: Server, errors: ConnectionErrors): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => {
    server.closeAllConnections()
    errors.closeDetached()
  }, graceMilliseconds)
  await closed
  clearTimeout(timer)
}
