// HTTP as existing agents implement it: parses the daemon's requests and reports what these agents cannot read.
import { isAscii } from 'node:buffer'
import { STATUS_CODES } from 'node:http'

/** A request of the daemon: `headers` as spelled on the wire, `body` the parsed JSON, `raw` one character per byte. */
export type Request = { method: string; path: string; headers: Record<string, string>; body: unknown; raw: string }
/** `request` is absent when the end of the request is unclear; the rest of the stream is then dropped. */
type ParseResult = { request?: Request; size: number; violations: string[] }
/** `joined`: the request began in a segment that carried another request. */
export type Arrival = { request?: Request; joined: boolean; violations: string[] }

const headerLimit = 8_192 // bytes; the daemon allows the same for an agent's header
const separator = '\r\n\r\n'
const nothing = Buffer.alloc(0)

/** Returns a parser for one connection: takes a segment, returns the requests that it completes. */
export function createRequestReader(): (segment: Buffer) => Arrival[] {
  let bytes: Buffer = nothing
  let joined = false
  return segment => {
    const arrivals: Arrival[] = isAscii(segment) ? [] : [{ joined, violations: ['bytes that are not ASCII'] }]
    bytes = bytes.length > 0 ? Buffer.concat([bytes, segment]) : segment
    for (let result = parseRequest(bytes); result; result = parseRequest(bytes)) {
      const { size, ...arrival } = result
      arrivals.push({ ...arrival, joined })
      bytes = size < bytes.length ? bytes.subarray(size) : nothing
      joined = true
    }
    joined &&= bytes.length > 0
    return arrivals
  }
}

/** Returns undefined while the request is incomplete. */
function parseRequest(bytes: Buffer): ParseResult | undefined {
  const end = bytes.indexOf(separator)
  const head = bytes.toString('latin1', 0, end < 0 ? bytes.length : end)
  const unreadable = (text: string) => ({ size: bytes.length, violations: [text] })
  if (/(?<!\r)\n|\r(?=[^\n])/.test(head)) return unreadable('a header line that does not end in CRLF')
  if (head.length > headerLimit) return unreadable(`a header over ${headerLimit} bytes`)
  if (end < 0) return undefined
  const violations: string[] = []
  const [first = '', ...lines] = head.split('\r\n')
  const [, method, path] = /^(GET|POST) (\/[^\s?#]*) HTTP\/1\.1$/.exec(first) ?? []
  if (!method || !path)
    return unreadable(`request line: expected GET or POST, a path and HTTP/1.1, got ${quote(first)}`)
  const headers = readHeaders(lines, violations)
  const start = end + separator.length
  const length = bodyLength(headers, violations)
  if (length === undefined) return { size: bytes.length, violations }
  if (bytes.length < start + length) return undefined
  const raw = bytes.toString('latin1', 0, start + length)
  return {
    request: { method, path, headers, body: readBody(raw.slice(start), violations), raw },
    size: raw.length,
    violations,
  }
}

function readHeaders(lines: string[], violations: string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name, value] = /^([\w-]+): (.*)$/.exec(line) ?? []
    if (!name || value === undefined) violations.push(`header: expected "Name: value", got ${quote(line)}`)
    else if (Object.hasOwn(headers, name)) violations.push(`header ${name} is repeated`)
    else headers[name] = value
  }
  if (headers['Content-Type'] !== 'application/json') {
    violations.push(`Content-Type: expected application/json, got ${quote(headers['Content-Type'])}`)
  }
  return headers
}

// Existing agents search for "Content-Length" in just this spelling.
function bodyLength(headers: Record<string, string>, violations: string[]): number | undefined {
  const coding = Object.keys(headers).find(name => name.toLowerCase() === 'transfer-encoding')
  if (coding) violations.push(`${coding}: agents cannot read it`)
  const length = headers['Content-Length'] ?? ''
  if (/^\d+$/.test(length) && !coding) return Number(length)
  if (!coding) violations.push(`Content-Length: expected digits, got ${quote(headers['Content-Length'])}`)
  return undefined
}

function readBody(text: string, violations: string[]): unknown {
  if (text === '') return undefined
  if (/[\r\n]/.test(text)) violations.push('several lines in the body')
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    violations.push(`a body that is not JSON: ${quote(text.slice(0, 60))}`)
    return undefined
  }
  const compact = JSON.stringify(body)
  if (compact === '{}') violations.push('an empty object, which must be sent as no body')
  // The hex digits of an escape may be in either case: compare the length only.
  else if (compact.replace(/[^\p{ASCII}]/gu, escaped).length !== text.length)
    violations.push('a body that is not compact')
  return body
}

const escaped = (character: string) => '\\u0000'.repeat(character.length)
const quote = (value: unknown) => JSON.stringify(value) ?? 'nothing'

/** A reply, or with status 103 an event. Without a body there are no headers either, as existing agents do it. */
export function message(status: number, body?: unknown): string {
  const line = `HTTP/1.0 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\n`
  if (body === undefined) return `${line}\r\n`
  const text = JSON.stringify(body)
  const length = Buffer.byteLength(text)
  return `${line}Content-Length: ${length}\r\nContent-Type: application/json\r\n\r\n${text}`
}
