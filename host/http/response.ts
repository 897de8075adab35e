// Answers that are no refusals: 200 with JSON or with nothing, within the response limit.
import { Readable } from 'node:stream'
import type { Context } from 'koa'
import type { Text } from '../command.ts'
import type { Limits } from '../services.ts'
import type { Log } from '../system/log.ts'
import { toJson } from './json-cache.ts'
import { refuseRequest, sendEmpty } from './refuse-request.ts'

// Node adds these after the headers have been counted.
const addedHead =
  'HTTP/1.1 200 OK\r\nDate: Thu, 01 Jan 1970 00:00:00 GMT\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\n\r\n'

/** Bytes, more than any head here has: an answer that stays so far below the limit need not be counted. */
const usualHead = 1024

// A stream that ends with the daemon must not leave a connection open that waits for a next request, and a proxy
// shall neither keep nor hold back what it brings.
const streamed = { Connection: 'close', 'Cache-Control': 'no-cache, no-transform', 'X-Accel-Buffering': 'no' }

/** A text or stream of a command, over which the limits for JSON say nothing. */
export async function sendText(ctx: Context, { status = 200, type, body }: Text): Promise<void> {
  const sent = typeof body === 'string' ? body : Readable.from(await begun(body))
  ctx.status = status
  ctx.set('Content-Type', type)
  if (sent instanceof Readable) ctx.set(streamed)
  ctx.body = sent
}

/** Waits for the first chunk: until then a stream that fails, or never begins, can still be refused. */
async function begun(body: AsyncIterable<string>): Promise<AsyncIterable<string>> {
  const chunks = body[Symbol.asyncIterator]()
  let first: IteratorResult<string> | undefined = await chunks.next()
  const next = async () => {
    const given = first
    first = undefined
    return given ?? chunks.next()
  }
  // Passed on also when the caller has gone before anything was read: a generator that has not begun would not.
  const end = async () => (await chunks.return?.()) ?? { done: true as const, value: undefined }
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) }
}

/** An answer with just these keys is no JSON. */
export function isText(value: object): value is Text {
  if (!('type' in value && 'body' in value) || typeof value.type !== 'string') return false
  const { body } = value
  const isBody = typeof body === 'string' || (body instanceof Object && Symbol.asyncIterator in body)
  return isBody && Object.keys(value).every(key => ['status', 'type', 'body'].includes(key))
}

/** `value` undefined: an empty 200. A body over the limit makes the read fail; body and head together over it are 500. */
export function sendAnswer(ctx: Context, value: object | undefined, limits: Limits, log: Log): void {
  if (value === undefined) return sendEmpty(ctx, 200)
  const body = toJson(value)
  const length = Buffer.byteLength(body)
  if (length > limits.response) {
    return refuseRequest(ctx, 400, `the answer has ${length} bytes, over the limit of ${limits.response}`, log)
  }
  ctx.set('Content-Type', 'application/json')
  // Koa sets status and length with the body.
  ctx.body = body
  if (length + usualHead < limits.response) return
  const size = addedHead.length + headLength(ctx) + length
  if (size <= limits.response) return
  // Koa would write the JSON null for no body.
  ctx.remove('Content-Type')
  refuseRequest(ctx, 500, `the response has ${size} bytes, over the limit of ${limits.response}`, log)
}

function headLength(ctx: Context): number {
  const fields = Object.entries(ctx.response.headers)
  return fields.reduce((sum, [name, value]) => sum + name.length + ': \r\n'.length + String(value).length, 0)
}
