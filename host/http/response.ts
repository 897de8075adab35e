// Sends the responses of commands: JSON within the response limit, an empty 200, a text or a stream.
import { Readable } from 'node:stream'
import type { Limits } from '../config/options.ts'
import type { TextResponse } from '../contract/services.ts'
import { acceptsGzip, compressOnce, leastCompressed } from '../system/gzip.ts'
import { toJson } from './json-cache.ts'
import type { RequestContext } from './request-context.ts'

// Node adds this head after the headers have been counted.
const addedHead =
  'HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\n\r\n'

/** Bytes, more than any head here has: the head of a body that is this far below the limit need not be counted. */
const largestHead = 1024

// The connection closes with a stream, so that none stays open when the daemon stops. A proxy must neither cache nor
// buffer a stream.
const streamHeaders = { Connection: 'close', 'Cache-Control': 'no-cache, no-transform', 'X-Accel-Buffering': 'no' }

/** Browsers must not take a body for another type than its own. */
const noSniffing = { 'X-Content-Type-Options': 'nosniff' }

/** Types of text. */
const compressible = /^(text\/|application\/json|image\/svg)/i

const jsonHead = { 'Content-Type': 'application/json', ...noSniffing }

/** A page uses only what this service serves, no script in its text, and no other page includes it. A command may differ. */
const htmlHeaders = {
  'Content-Security-Policy':
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
}

/** 30 days without plain HTTP, on all ports of this host name. */
const strictTransport = { 'Strict-Transport-Security': 'max-age=2592000' }

/** The response limit is for JSON only (open points, section 1). */
export async function sendText(ctx: RequestContext, { status, type, body, headers }: TextResponse): Promise<void> {
  const isWhole = typeof body === 'string' || body instanceof Uint8Array
  const isPlain = compressible.test(type) && !Object.keys(headers ?? {}).some(name => /^content-encoding$/i.test(name))
  const encoded = isWhole && isPlain ? await encode(ctx, body, Buffer.byteLength(body)) : undefined
  const sent = isWhole ? (encoded?.body ?? body) : await streamOf(ctx, body)
  ctx.status = status
  if (/^(text\/html|application\/xhtml|image\/svg)/i.test(type)) {
    ctx.set(htmlHeaders)
    if ('encrypted' in ctx.req.socket) ctx.set(strictTransport)
  }
  if (sent instanceof Readable) {
    ctx.set(streamHeaders)
    // The system would keep a small chunk until the caller has acknowledged the one before it.
    ctx.req.socket.setNoDelay()
  }
  ctx.set({ ...encoded?.headers, ...headers, 'Content-Type': type, ...noSniffing })
  ctx.body = sent instanceof Uint8Array ? Buffer.from(sent.buffer, sent.byteOffset, sent.byteLength) : sent
}

/** For a HEAD it has ended already: its file is closed. */
async function streamOf<Chunk>({ req }: RequestContext, body: AsyncIterable<Chunk>): Promise<Readable> {
  const chunks = await waitForFirstChunk(body)
  if (req.method === 'HEAD') await chunks[Symbol.asyncIterator]().return?.()
  return Readable.from(chunks)
}

/** Resolves when the stream has its first chunk: a stream that fails before that can still be answered with 500. */
async function waitForFirstChunk<Chunk>(body: AsyncIterable<Chunk>): Promise<AsyncIterable<Chunk>> {
  const chunks = body[Symbol.asyncIterator]()
  let first: IteratorResult<Chunk> | undefined = await chunks.next()
  const next = async () => {
    const result = first ?? (await chunks.next())
    first = undefined
    return result
  }
  // A generator that has not started would not run its `finally` when the caller disconnects before the first read.
  const end = async () => (await chunks.return?.()) ?? { done: true as const, value: undefined }
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) }
}

/**
 * Sends an empty 200 for `undefined`. A body over the response limit is refused with 400, a body that exceeds it only
 * together with its head with 500 (the specification's section Errors).
 */
export async function sendJson(ctx: RequestContext, value: object | undefined, limits: Limits): Promise<void> {
  if (value === undefined) return sendEmpty(ctx, 200)
  const body = toJson(value)
  const length = Buffer.byteLength(body)
  const expected = `response: expected at most ${limits.response} bytes`
  if (length > limits.response) return ctx.refuse(400, `${expected}, got ${length}`)
  const head = { ...jsonHead, 'Content-Length': length }
  if (length + largestHead >= limits.response) {
    const size = addedHead.length + headLength(ctx.response.headers) + headLength(head) + length
    if (size > limits.response) return ctx.refuse(500, `${expected} with its head, got ${size}`)
  }
  ctx.res.statusCode = 200
  const encoded = await encode(ctx, body, length)
  ctx.state.json = { head: { ...head, 'Content-Length': encoded.length, ...encoded.headers }, body: encoded.body }
}

interface Encoded {
  body: string | Uint8Array
  length: number
  headers?: Record<string, string>
}

/** Compresses a long body for a caller that accepts it; `length` in bytes. */
async function encode(ctx: RequestContext, body: string | Uint8Array, length: number): Promise<Encoded> {
  if (length < leastCompressed) return { body, length }
  const vary = { Vary: 'Accept-Encoding' }
  if (!acceptsGzip(ctx.get('Accept-Encoding'))) return { body, length, headers: vary }
  const sent = await compressOnce(typeof body === 'string' ? Buffer.from(body) : body)
  return { body: sent, length: sent.length, headers: { ...vary, 'Content-Encoding': 'gzip' } }
}

/** Sends what `sendJson` has left for the end of the tick. Not through Koa, whose setters take as long as its other work. */
export function sendPrepared(ctx: RequestContext): void {
  const { json } = ctx.state
  if (!json || !ctx.writable) return
  ctx.respond = false
  ctx.res.writeHead(200, json.head)
  ctx.res.end(json.body)
}

const headLength = (headers: object): number =>
  Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + ': \r\n'.length + String(value).length, 0)

/** Koa changes the status to 204 for a null body unless the status is set after it, and sends no length for HEAD. */
export function sendEmpty(ctx: RequestContext, status: number): void {
  // An error after the command has answered.
  delete ctx.state.json
  ctx.body = null
  ctx.status = status
  ctx.length = 0
}
