// The messages of the conversation: decodes the daemon's requests, HTTP/1.1 with a Content-Length and a body of JSON or
// none, and encodes replies.
import { STATUS_CODES } from 'node:http'

export interface DaemonRequest {
  /** `POST /shell/run`. */
  route: string
  /** The parsed JSON; undefined without a body. */
  body: unknown
}

export interface AgentReply {
  status: number
  body?: object
  /** Called when the reply was sent; nothing else is executed on this connection from then on. */
  afterwards?(): void
}

export function encodeReply({ status, body }: AgentReply): string {
  const line = `HTTP/1.0 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\n`
  if (body === undefined) return `${line}\r\n`
  const text = JSON.stringify(body)
  return `${line}Content-Length: ${Buffer.byteLength(text)}\r\nContent-Type: application/json\r\n\r\n${text}`
}

/** Bytes. The daemon sends less than 128 KiB, unless its limits are raised. */
const longestHead = 8 * 1024
const longestBody = 4 * 1024 * 1024

const blankLine = Buffer.from('\r\n\r\n')

/** Returns a function that takes bytes and passes on each request that they complete. It throws at invalid ones. */
export function createRequestDecoder(onRequest: (request: DaemonRequest) => void): (bytes: Buffer) => void {
  let waiting = Buffer.alloc(0)
  return bytes => {
    waiting = Buffer.concat([waiting, bytes])
    for (let first = parse(waiting); first; first = parse(waiting)) {
      waiting = waiting.subarray(first.size)
      onRequest(first.request)
    }
  }
}

/** The first request with the number of its bytes; undefined while it is incomplete. */
function parse(bytes: Buffer): { request: DaemonRequest; size: number } | undefined {
  const end = bytes.indexOf(blankLine)
  if (end > longestHead || (end < 0 && bytes.length > longestHead)) {
    throw new Error(`request: expected a header of at most ${longestHead} bytes`)
  }
  if (end < 0) return undefined
  const [line = '', ...fields] = bytes.toString('latin1', 0, end).split('\r\n')
  const route = /^([A-Z]+ \/\S*) HTTP\/1\.\d$/.exec(line)?.[1]
  if (route === undefined) throw new Error(`request: expected HTTP, got ${JSON.stringify(line.slice(0, 40))}`)
  const size = end + blankLine.length + lengthOf(fields)
  if (bytes.length < size) return undefined
  const text = bytes.toString('utf8', end + blankLine.length, size)
  return { request: { route, body: text === '' ? undefined : JSON.parse(text) }, size }
}

function lengthOf(fields: string[]): number {
  const values = fields.flatMap(field => /^content-length:(.*)/is.exec(field)?.[1]?.trim() ?? [])
  const [value = '0'] = values
  if (!/^\d{1,9}$/.test(value) || Number(value) > longestBody) {
    throw new Error(`Content-Length: expected at most ${longestBody} bytes, got ${value.slice(0, 40)}`)
  }
  return Number(value)
}
