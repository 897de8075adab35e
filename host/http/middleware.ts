// The checks before routing, in the order of the specification: method, size, token, JSON.
import type { Registry } from '../modules/registry.ts'
import type { Limits } from '../services.ts'
import type { Log } from '../system/log.ts'
import { expectsContinue, headBytes, readBody } from './read-body.ts'
import { refuseRequest } from './refuse-request.ts'
import type { RequestContext, RequestMiddleware } from './request-context.ts'
import { createTokenCheck, tokensOfHeader, tokensOfQuery } from './token-header.ts'

export interface MiddlewareDeps {
  log: Log
  limits: Limits
  token: string
  registry: Registry
  /** Option `rest.open_metrics`. */
  openMetrics: boolean
}

/** Refuses other methods than GET and POST, and sets the table that the request keeps. */
export function allowMethods({ log, registry }: MiddlewareDeps): RequestMiddleware {
  return (ctx, next) => {
    // A proxy sends the target as `http://host/path`; Koa would throw for an invalid host.
    if (!ctx.url.startsWith('/')) ctx.url = ctx.url.replace(/^[a-z]+:\/\/[^/?#]*/i, '') || '/'
    if (ctx.method !== 'GET' && ctx.method !== 'POST') return refuseRequest(ctx, 405, 'neither GET nor POST', log)
    ctx.state.table = registry.table
    return next()
  }
}

/** Reads the body. Request line, headers and decoded body together must not be longer than the limit. */
export function receiveBody({ log, limits }: MiddlewareDeps): RequestMiddleware {
  return async (ctx, next) => {
    const bodyLimit = limits.request - headBytes(ctx.req, ctx.originalUrl)
    const declared = Number(ctx.req.headers['content-length'] ?? 0)
    // A server with a listener for `checkContinue` must send the 100 itself.
    if (declared <= bodyLimit && expectsContinue(ctx.req)) ctx.res.writeContinue()
    const raw = declared > bodyLimit ? 'too long' : await readBody(ctx.req, bodyLimit)
    if (raw === 'too long') return refuseAndClose(ctx, `longer than ${limits.request} bytes`, log)
    if (raw === 'aborted') {
      ctx.respond = false
      return
    }
    ctx.state.raw = raw
    return next()
  }
}

/** Refuses a request without the right token, unless its command needs none. */
export function checkToken({ log, token, openMetrics }: MiddlewareDeps): RequestMiddleware {
  const isRight = createTokenCheck(token)
  return (ctx, next) => {
    const header = ctx.req.headers.authorization ?? ''
    if (isRight(header)) return next()
    const commands = ctx.state.table?.at(ctx.path)
    const command = (ctx.method === 'GET' ? commands?.GET : commands?.POST)?.command
    const isOpen = command?.access === 'none' || (command?.openOption === 'open_metrics' && openMetrics)
    const tokens = [...tokensOfHeader(header), ...(command?.queryToken ? tokensOfQuery(ctx.querystring) : [])]
    if (!isOpen && !tokens.some(isRight)) return refuseRequest(ctx, 401, 'wrong or no token', log)
    return next()
  }
}

/** A body that is not empty must be JSON, on every path. */
export function parseJson({ log }: MiddlewareDeps): RequestMiddleware {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  return (ctx, next) => {
    const { raw } = ctx.state
    if (raw && raw.length > 0) {
      try {
        ctx.state.body = { value: JSON.parse(decoder.decode(raw)) }
      } catch {
        return refuseRequest(ctx, 404, 'the body is not JSON', log)
      }
    }
    return next()
  }
}

/** Milliseconds to read on after a refusal: unread bytes would reset the connection, and the response would be lost. */
const lingerMilliseconds = 1000

function refuseAndClose(ctx: RequestContext, reason: string, log: Log): void {
  const { req, res } = ctx
  refuseRequest(ctx, 413, reason, log)
  ctx.respond = false
  res.writeHead(413, { 'Content-Length': 0, Connection: 'close' })
  res.flushHeaders()
  const finish = () => {
    clearTimeout(timer)
    res.end()
  }
  const timer = setTimeout(finish, lingerMilliseconds).unref()
  req.once('end', finish)
  req.once('close', finish)
  req.resume()
}
