// The REST API's HTTP server: its port, its connections, and how it stops.
import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { Socket } from 'node:net'
import { AuthFailures, type AuthFailuresDeps } from '../access/auth-failures.ts'
import type { Certificate } from '../config/certificate.ts'
import { listen } from '../config/listen.ts'
import { limitLog } from '../log/throttled-log.ts'
import { type AppDeps, createApp } from './app.ts'
import { createProxyReader } from './caller-address.ts'
import { refusalsPerSecond } from './refuse.ts'
import { maxHeadBytes } from './request-checks.ts'
import { ConnectionErrors } from './transport/connection-errors.ts'
import { Connections } from './transport/connections.ts'
import { Handshakes } from './transport/handshakes.ts'
import { idleInterval, OverdueCheck } from './transport/overdue-check.ts'

/** A connection is closed when its request is not complete after this time. */
const requestSeconds = 10

/** Bytes that Node accepts above the limit of a head, so that the middleware refuses most of them and not Node. */
const extraHeadBytes = 8 * 1024

/** Milliseconds that running requests have to finish when the daemon stops. */
const graceMilliseconds = 1000

interface ServerDeps
  extends Omit<AppDeps, 'throttledLog' | 'authFailures' | 'delayed' | 'verified'>,
    Pick<AuthFailuresDeps, 'events'> {
  /** With one, the server speaks TLS only. */
  certificate: Certificate | undefined
}

interface CallerServer {
  /** The port in use; with port 0 in the options the system chooses it. */
  port: number
  /** Running requests have a second to finish. */
  close(): Promise<void>
}

/** Resolves when the port listens; rejects when it cannot. */
export async function listenForCallers(deps: ServerDeps): Promise<CallerServer> {
  const { options, log, certificate, metrics, events } = deps
  const { rest, limits } = options
  const throttledLog = limitLog(log, { perSecond: refusalsPerSecond })
  const authFailures = new AuthFailures({ throttledLog, events })
  metrics.addSource('authFailures', () => authFailures.total)
  const server = createHttpServer(certificate)
  const delayed = new WeakSet<IncomingMessage>()
  const overdueCheck = new OverdueCheck(server)
  const connections = new Connections(limits, throttledLog, open => overdueCheck.update(open))
  const handshakes = new Handshakes(throttledLog)
  const verified = (socket: Socket) => connections.readerOf(socket)?.verify()
  const app = createApp({ ...deps, throttledLog, authFailures, delayed, verified }).callback()
  const errors = new ConnectionErrors(throttledLog, connections)
  const readProxy = createProxyReader(rest)
  const serve = (req: IncomingMessage, res: ServerResponse) => {
    readProxy(req)
    connections.readerOf(req.socket)?.count(res)
    errors.afterEarlierRequests(req, res, hasWaited => {
      if (hasWaited) delayed.add(req)
      void app(req, res)
    })
  }
  server.on('connection', (socket: Socket) => {
    if (!connections.admit(socket)) return
    if (certificate) handshakes.start(socket)
    else connections.read(socket)
  })
  server.on('secureConnection', (socket: Socket) => {
    handshakes.finish(socket)
    connections.read(socket)
  })
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
  await listen(server, 'rest', rest)
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
function createHttpServer(certificate: Certificate | undefined): Server {
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
