// HTTP as existing agents read and write it: cuts the daemon's requests off a stream, names what they would choke on.
import { isAscii } from 'node:buffer'
import { STATUS_CODES } from 'node:http'

/** What the daemon sent: `headers` as spelled on the wire, `body` the parsed JSON, `raw` one character per byte. */
export type Request = { method: string; path: string; headers: Record<string, string>; body: unknown; raw: string }
/** What the stream began with: without a request when nobody can tell where it ends, and the rest is lost. */
type Cut = { request?: Request; size: number; wrong: string[] }
/** `joined`: it began in a segment that carried another request. */
export type Arrival = { request?: Request; joined: boolean; wrong: string[] }

const headerLimit = 8_192 // bytes; the daemon grants an agent's header as much
const separator = '\r\n\r\n'
const nothing = Buffer.alloc(0)

/** Takes one connection's segments as they come and gives what each of them completes. */
export function createRequestReader(): (segment: Buffer) => Arrival[] {
  let bytes: Buffer = nothing
  let joined = false
  return segment => {
    const arrivals: Arrival[] = isAscii(segment) ? [] : [{ joined, wrong: ['bytes that are not ASCII'] }]
    bytes = bytes.length > 0 ? Buffer.concat([bytes, segment]) : segment
    for (let cut = cutRequest(bytes); cut; cut = cutRequest(bytes)) {
      const { size, ...arrival } = cut
      arrivals.push({ ...arrival, joined })
      bytes = size < bytes.length ? bytes.subarray(size) : nothing
      joined = true
    }
    joined &&= bytes.length > 0
    return arrivals
  }
}

/** Undefined while bytes are missing. */
function cutRequest(bytes: Buffer): Cut | undefined {
  const end = bytes.indexOf(separator)
  const head = bytes.toString('latin1', 0, end < 0 ? bytes.length : end)
  const lost = (what: string) => ({ size: bytes.length, wrong: [what] })
  if (/(?<!\r)\n|\r(?=[^\n])/.test(head)) return lost('a header line that does not end in CRLF')
  if (head.length > headerLimit) return lost(`a header over ${headerLimit} bytes`)
  if (end < 0) return undefined
  const wrong: string[] = []
  const [first = '', ...lines] = head.split('\r\n')
  const [, method, path] = /^(GET|POST) (\/[^\s?#]*) HTTP\/1\.1$/.exec(first) ?? []
  if (!method || !path) return lost(`request line: GET or POST, a path and HTTP/1.1 needed, got ${quote(first)}`)
  const headers = readHeaders(lines, wrong)
  const start = end + separator.length
  const length = bodyLength(headers, wrong)
  if (length === undefined) return { size: bytes.length, wrong }
  if (bytes.length < start + length) return undefined
  const raw = bytes.toString('latin1', 0, start + length)
  return { request: { method, path, headers, body: readBody(raw.slice(start), wrong), raw }, size: raw.length, wrong }
}

function readHeaders(lines: string[], wrong: string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const [, name, value] = /^([\w-]+): (.*)$/.exec(line) ?? []
    if (!name || value === undefined) wrong.push(`header: "Name: value" needed, got ${quote(line)}`)
    else if (Object.hasOwn(headers, name)) wrong.push(`header ${name} comes twice`)
    else headers[name] = value
  }
  if (headers['Content-Type'] !== 'application/json') {
    wrong.push(`Content-Type: application/json needed, got ${quote(headers['Content-Type'])}`)
  }
  return headers
}

// Existing agents search for "Content-Length" in just this spelling.
function bodyLength(headers: Record<string, string>, wrong: string[]): number | undefined {
  const coding = Object.keys(headers).find(name => name.toLowerCase() === 'transfer-encoding')
  if (coding) wrong.push(`${coding}: agents cannot read it`)
  const length = headers['Content-Length'] ?? ''
  if (/^\d+$/.test(length) && !coding) return Number(length)
  if (!coding) wrong.push(`Content-Length: digits needed, got ${quote(headers['Content-Length'])}`)
  return undefined
}

function readBody(text: string, wrong: string[]): unknown {
  if (text === '') return undefined
  if (/[\r\n]/.test(text)) wrong.push('several lines in the body')
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    wrong.push(`a body that is no JSON: ${quote(text.slice(0, 60))}`)
    return undefined
  }
  const compact = JSON.stringify(body)
  if (compact === '{}') wrong.push('an empty object, which goes as no body')
  // Escapes of one character may be spelled in upper or lower case: equal length is all that can be demanded.
  else if (compact.replace(/[^\p{ASCII}]/gu, escaped).length !== text.length) wrong.push('a body that is not compact')
  return body
}

const escaped = (character: string) => '\\u0000'.repeat(character.length)
const quote = (value: unknown) => JSON.stringify(value) ?? 'nothing'

/** An answer, or with status 103 an event. Without a body there is no header either: so do existing agents answer. */
export function message(status: number, body?: unknown): string {
  const line = `HTTP/1.0 ${status} ${STATUS_CODES[status] ?? 'Unknown'}\r\n`
  if (body === undefined) return `${line}\r\n`
  const text = JSON.stringify(body)
  const length = Buffer.byteLength(text)
  return `${line}Content-Length: ${length}\r\nContent-Type: application/json\r\n\r\n${text}`
}
