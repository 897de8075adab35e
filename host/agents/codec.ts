// Decodes the messages of agents and encodes requests to them; pure functions on bytes, in linear time.
import { GrowingBuffer } from './growing-buffer.ts'

/** An HTTP response of an agent. The body is not checked to be JSON; undefined when it is empty. */
export interface Message {
  status: number
  body: string | undefined
}

/** The bytes are not a valid message, or one too many. The connection cannot be used any longer. */
export class FramingError extends Error {}

export interface Decoder {
  /** Passes every completed message to `onMessage`. Throws a FramingError at the first invalid byte. */
  feed(bytes: Buffer): void
}

/** Most bytes of a status line and headers; real agents send about 100. */
const headerBytes = 8 * 1024

const blankLine = Buffer.from('\r\n\r\n')
const protocol = Buffer.from('HTTP/1.')
const noBytes = Buffer.alloc(0)

/** `limit`: most bytes of a message, header included. */
export function createDecoder(limit: number, onMessage: (message: Message) => void): Decoder {
  /** Bytes of an incomplete header, or of an incomplete body. */
  const received = new GrowingBuffer()
  /** Undefined until the header is complete. */
  let head: Head | undefined

  /** Reads a header or a piece of it. Returns the bytes after it. */
  function readHeader(bytes: Buffer): Buffer {
    const oldLength = received.length
    if (oldLength > 0) received.append(bytes.subarray(0, headerBytes + 1 - oldLength))
    const header = oldLength > 0 ? received.bytes : bytes
    const end = header.indexOf(blankLine, Math.max(0, oldLength - blankLine.length))
    checkStart(header)
    const length = end < 0 ? header.length : end + blankLine.length
    if (length > headerBytes) throw new FramingError(`header: expected at most ${headerBytes} bytes`)
    if (end < 0) {
      if (oldLength === 0) received.append(bytes)
      return noBytes
    }
    head = parseHead(header.toString('latin1', 0, end))
    received.clear()
    const total = length + head.length
    if (total > limit) throw new FramingError(`message: expected at most ${limit} bytes, got ${total}`)
    return bytes.subarray(length - oldLength)
  }

  /** Reads a body or a piece of it. Returns the bytes after it. */
  function readBody({ status, length }: Head, bytes: Buffer): Buffer {
    const piece = bytes.subarray(0, length - received.length)
    const isIncomplete = received.length + piece.length < length
    if (isIncomplete || received.length > 0) received.append(piece)
    if (isIncomplete) return noBytes
    const body = received.length > 0 ? received.bytes : piece
    const message = { status, body: length === 0 ? undefined : body.toString() }
    received.clear()
    head = undefined
    onMessage(message)
    return bytes.subarray(piece.length)
  }

  return {
    feed(bytes) {
      let rest = bytes
      while (rest.length > 0) {
        if (!head) rest = readHeader(rest)
        // Also without further bytes: a message may have no body.
        if (head) rest = readBody(head, rest)
      }
    },
  }
}

interface Head {
  status: number
  /** Bytes of the body. */
  length: number
}

function checkStart(head: Buffer): void {
  const length = Math.min(head.length, protocol.length)
  if (head.compare(protocol, 0, length, 0, length) !== 0) {
    throw new FramingError(`status line: expected HTTP/1.x, got ${JSON.stringify(head.toString('latin1', 0, 40))}`)
  }
}

function parseHead(head: string): Head {
  const [line = '', ...fields] = head.split('\r\n')
  const status = /^HTTP\/1\.\d ([1-9]\d\d)(?: |$)/.exec(line)?.[1]
  if (status === undefined)
    throw new FramingError(`status line: expected a status from 100 to 999, got ${JSON.stringify(line.slice(0, 40))}`)
  let length: number | undefined
  for (const field of fields) {
    const name = nameOf(field)
    if (name === 'transfer-encoding') throw new FramingError('header: expected Content-Length, got Transfer-Encoding')
    if (name !== 'content-length') continue
    const value = withoutBlanks(field.slice(name.length + 1))
    if (!/^\d{1,15}$/.test(value) || (length !== undefined && length !== Number(value))) {
      throw new FramingError(`Content-Length: expected one number, got ${JSON.stringify(value.slice(0, 40))}`)
    }
    length = Number(value)
  }
  return { status: Number(status), length: length ?? 0 }
}

/** The name of a header field, in lower case. */
function nameOf(field: string): string {
  const name = field.slice(0, Math.max(0, field.indexOf(':')))
  if (name === '' || /\s/.test(name) || /[\r\n]/.test(field)) {
    throw new FramingError(`header: expected "Name: value", got ${JSON.stringify(field.slice(0, 40))}`)
  }
  return name.toLowerCase()
}

const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t'

/** Without blanks at both ends. A regular expression for the blanks at the end would need quadratic time. */
function withoutBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text[start])) start += 1
  while (end > start && isBlank(text[end - 1])) end -= 1
  return text.slice(start, end)
}

/** JSON in ASCII: agents compare the number of characters, not bytes, with Content-Length. */
export function toWireJson(value: object): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    codeUnit => `\\u${codeUnit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** A request that existing agents can read: exactly these two headers, and a body of one line or none. */
export function encodeRequest(route: string, body: string): Buffer {
  return Buffer.from(
    `${route} HTTP/1.1\r\nContent-Length: ${body.length}\r\nContent-Type: application/json\r\n\r\n${body}`,
    'latin1',
  )
}
