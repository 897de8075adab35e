// The Koa app of the REST API: its steps in the order of the specification.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import Koa from 'koa'
import type { Audit } from '../access/audit.ts'
import { message } from '../log/log.ts'
import type { ThrottledLog } from '../log/throttled-log.ts'
import type { Metrics } from '../system/metrics.ts'
import { createTickBatch } from '../system/time-slices.ts'
import { createIdentify } from './check-token.ts'
import { createHandleCommand } from './handle-command.ts'
import { readJson } from './read-body.ts'
import { auditRequest } from './record-write.ts'
import { createRefusing, requestName } from './refuse.ts'
import { createChecks } from './request-checks.ts'
import type { Refusing, RequestContext, RequestMiddleware, RequestState, StepDeps } from './request-context.ts'
import { sendPrepared } from './response.ts'
import { routeRequests } from './router.ts'
import { UnsentBytes } from './transport/unsent-bytes.ts'

export interface AppDeps extends StepDeps {
  /** For refusals. */
  throttledLog: ThrottledLog
  audit: Audit
  metrics: Metrics
  /** Requests that have waited for earlier requests of their connection; their responses are sent at once. */
  delayed: WeakSet<IncomingMessage>
  /** To be called when the token of the current request of a connection is right. */
  verified(socket: Socket): void
}

export function createApp(deps: AppDeps): Koa<RequestState, Refusing> {
  const app = new Koa<RequestState, Refusing>()
  Object.assign(app.context, createRefusing(deps.throttledLog, createIdentify(deps.token)))
  app.on('error', (error: NodeJS.ErrnoException, ctx: RequestContext) => {
    // A reader of a stream leaves when it has read enough. A request that was not complete is already in the log.
    if (error.code === 'ERR_STREAM_PREMATURE_CLOSE' || !ctx.req.complete) return
    deps.log.warn('rest', `${requestName(ctx.req)}: response not sent, ${message(error)}`)
  })
  app.use(finishRequests(deps))
  app.use(createChecks(deps, ctx => deps.verified(ctx.req.socket)))
  app.use(readJson(deps.options.limits))
  app.use(routeRequests(createHandleCommand(deps)))
  app.use(ctx => ctx.refuse(404, 'no route'))
  return app
}

/** Measures each request, answers 500 when a later step throws, and sends the responses of a tick together. */
function finishRequests({ throttledLog, metrics, audit, delayed }: AppDeps): RequestMiddleware {
  const unsent = new UnsentBytes(throttledLog)
  const endOfTick = createTickBatch()
  return async (ctx, next) => {
    const start = performance.now()
    try {
      await next()
    } catch (error) {
      ctx.fail('failed', error)
    }
    const route = ctx.state.loaded?.command.route ?? ''
    metrics.observeRequest(route, ctx.res.statusCode, (performance.now() - start) / 1000)
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
