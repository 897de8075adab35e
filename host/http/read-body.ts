// Reads the body of a request, which must be JSON, and stops at a limit of bytes.
import type { IncomingMessage } from 'node:http'
import type { Limits } from '../config/options.ts'
import { commandOf } from './asked-command.ts'
import type { RequestContext, RequestMiddleware } from './request-context.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** A body that is not empty must be JSON, on every path. */
export function readJson(limits: Limits): RequestMiddleware {
  const read: RequestMiddleware = async (ctx, next) => {
    const raw = await readBody(ctx.req, limits.request - (ctx.state.headBytes ?? 0))
    if (raw === 'too long') return ctx.refuse(413, `longer than ${limits.request} bytes`)
    if (raw === 'aborted') {
      ctx.respond = false
      return
    }
    ctx.state.raw = raw
    const body = raw.length > 0 ? parse(raw) : undefined
    const takesAny = (!body || !(body.value instanceof Object) || Array.isArray(body.value)) && anyBody(ctx)
    if (raw.length > 0 && !body && !takesAny) return ctx.refuse(404, 'the body is not JSON')
    if (body && !takesAny) ctx.state.body = body
    return next()
  }
  return (ctx, next) => {
    // A server with a listener for `checkContinue` must send the 100 itself.
    if (expectsContinue(ctx.req)) ctx.res.writeContinue()
    // Most requests have none, and then nothing needs to be awaited.
    return hasBody(ctx.req) ? read(ctx, next) : next()
  }
}

function parse(raw: Buffer): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(decoder.decode(raw)) }
  } catch {
    return undefined
  }
}

const anyBody = (ctx: RequestContext): boolean => commandOf(ctx)?.http?.anyBody === true

/**
 * The rest of a body of more than `limit` bytes stays unread; one is aborted when the caller has closed the connection
 * before its end.
 */
function readBody(req: IncomingMessage, limit: number): Promise<Buffer | 'too long' | 'aborted'> {
  const chunks: Buffer[] = []
  let size = 0
  return new Promise(resolve => {
    req.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else resolve('too long')
    })
    req.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    req.on('error', () => resolve('aborted'))
    req.on('close', () => resolve('aborted'))
  })
}

/** Whether a body follows the head. */
export function hasBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  return (length !== undefined && length !== '0') || encoding !== undefined
}

/** Whether the declared length of the body is above the limit. */
export const bodyIsLonger = ({ headers }: IncomingMessage, limit: number): boolean =>
  Number(headers['content-length'] ?? 0) > limit

/** The bytes of the request line and the headers. */
export function headBytes({ method = '', rawHeaders }: IncomingMessage, originalUrl: string): number {
  let sum = method.length + originalUrl.length + '  HTTP/1.1\r\n\r\n'.length
  // The list has a name and a value for each field, and each pair takes four bytes more: colon, space and line break.
  for (const text of rawHeaders) sum += text.length + 2
  return sum
}

/** Whether the caller sends the body only after a response 100 Continue. */
export const expectsContinue = ({ headers, httpVersion }: IncomingMessage): boolean =>
  httpVersion === '1.1' && /100-continue/i.test(headers.expect ?? '')
