// What a request passes before its route is chosen: method, size, token, JSON.
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Context, Middleware } from 'koa'
import type { Registry } from '../modules/registry.ts'
import type { Limits } from '../services.ts'
import type { Log } from '../system/log.ts'
import { refuseRequest } from './refuse-request.ts'

/** What the gate leaves for those behind it in `ctx.state`: the table for this request, and the body's value. */
export interface Passed {
  table: Registry['table']
  raw: Buffer
  body?: { value: unknown }
}

export interface MiddlewareDeps {
  log: Log
  limits: Limits
  token: string
  registry: Registry
  /** Option `rest.open_metrics`. */
  openMetrics: boolean
  /** Is told how long each request took; '' for the route of one that has none. */
  requested(route: string, status: number, seconds: number): void
}

/** The specification's first step; a request keeps the table that it started with. */
export function allowMethods({ log, registry }: MiddlewareDeps): Middleware {
  return (ctx, next) => {
    // A proxy's form of the target, `http://host/path`; Koa would throw for a host that cannot be.
    if (!ctx.url.startsWith('/')) ctx.url = ctx.url.replace(/^[a-z]+:\/\/[^/?#]*/i, '') || '/'
    if (ctx.method !== 'GET' && ctx.method !== 'POST') return refuseRequest(ctx, 405, 'neither GET nor POST', log)
    ctx.state.table = registry.table
    return next()
  }
}

/** Reads the request as far as the limit goes: request line, headers and decoded body. */
export function receive({ log, limits }: MiddlewareDeps): Middleware {
  return async (ctx, next) => {
    const room = limits.request - headBytes(ctx)
    const declared = Number(ctx.req.headers['content-length'] ?? 0)
    // Node leaves this to whoever listens for `checkContinue`.
    if (declared <= room && isAwaiting(ctx.req)) ctx.res.writeContinue()
    const raw = declared > room ? 'too long' : await readBody(ctx.req, room)
    if (raw === 'too long') return refuseAndClose(ctx, `longer than ${limits.request} bytes`, log)
    if (raw === 'broken off') {
      ctx.respond = false
      return
    }
    ctx.state.raw = raw
    return next()
  }
}

/** Compares in constant time: of the token no more than its length can be measured. A module that is `open` needs none. */
export function checkToken({ log, token, openMetrics }: MiddlewareDeps): Middleware {
  const right = Buffer.from(token)
  const isRight = (text: string) => {
    const given = Buffer.from(text)
    return given.length === right.length && timingSafeEqual(given, right)
  }
  return (ctx, next) => {
    const header = ctx.req.headers.authorization ?? ''
    if (isRight(header)) return next()
    const { table }: { table: Registry['table'] } = Object(ctx.state)
    const open = table.open(ctx.method, ctx.path)
    const inQuery = table.takesQueryToken(ctx.method, ctx.path) ? queryTokens(ctx) : []
    const fits = [...tokensIn(header), ...inQuery].some(isRight)
    if (!fits && open !== true && !(open && openMetrics)) return refuseRequest(ctx, 401, 'wrong or no token', log)
    return next()
  }
}

/** A body that is not empty must be JSON, on every path. */
export function parseJson({ log }: MiddlewareDeps): Middleware {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  return (ctx, next) => {
    const raw: Buffer = ctx.state.raw
    if (raw.length > 0) {
      try {
        ctx.state.body = { value: JSON.parse(decoder.decode(raw)) }
      } catch {
        return refuseRequest(ctx, 404, 'the body is not JSON', log)
      }
    }
    return next()
  }
}

function headBytes({ originalUrl, req: { method = '', rawHeaders } }: Context): number {
  const line = method.length + originalUrl.length + '  HTTP/1.1\r\n\r\n'.length
  // Each field has a name and a value in the list: four bytes a pair for colon, space and line break.
  let sum = line
  for (const part of rawHeaders) sum += part.length + 2
  return sum
}

/** Whether the caller sends the body only after it has been told to. */
const isAwaiting = ({ headers, httpVersion }: IncomingMessage) =>
  httpVersion === '1.1' && /100-continue/i.test(headers.expect ?? '')

const nothing = Buffer.alloc(0)

async function readBody(req: IncomingMessage, room: number): Promise<Buffer | 'too long' | 'broken off'> {
  const { 'content-length': length, 'transfer-encoding': encoding } = req.headers
  if ((length === undefined || length === '0') && encoding === undefined) return nothing
  const chunks: Buffer[] = []
  let size = 0
  return new Promise(resolve => {
    req.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= room) chunks.push(chunk)
      else resolve('too long')
    })
    req.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    req.on('error', () => resolve('broken off'))
    req.on('close', () => resolve('broken off'))
  })
}

/** Bytes that were sent but never read would turn the closing into a reset, which loses the answer. */
const lingerMilliseconds = 1000

function refuseAndClose(ctx: Context, reason: string, log: Log): void {
  const { req, res } = ctx
  refuseRequest(ctx, 413, reason, log)
  ctx.respond = false
  res.writeHead(413, { 'Content-Length': 0, Connection: 'close' })
  res.flushHeaders()
  const finish = () => {
    clearTimeout(waiting)
    res.end()
  }
  const waiting = setTimeout(finish, lingerMilliseconds).unref()
  req.once('end', finish)
  req.once('close', finish)
  req.resume()
}

/** The token of `Bearer <token>`; the password of `Basic <base64 of user:password>`. */
function tokensIn(header: string): string[] {
  const [, scheme = '', value = ''] = /^(Bearer|Basic) +(\S+)$/i.exec(header) ?? []
  if (scheme === '') return []
  if (scheme.toLowerCase() === 'bearer') return [value]
  const [, password = ''] = /^[^:]*:(.*)$/s.exec(Buffer.from(value, 'base64').toString()) ?? []
  return [password]
}

const queryTokens = ({ querystring }: Context) => new URLSearchParams(querystring).getAll('token')
