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

/** `limit`: most bytes of a message, header included. */
export function createDecoder(limit: number, onMessage: (message: Message) => void): Decoder {
  /** Bytes of an incomplete header, or of an incomplete body. */
  const received = new GrowingBuffer()
  /** Undefined until the header is complete. */
  let head: Head | undefined

  /** Reads a header or a piece of it, from `start` on. Returns where the bytes after it begin. */
  function readHeader(bytes: Buffer, start: number): number {
    const oldLength = received.length
    if (oldLength > 0) received.append(bytes.subarray(start, start + headerBytes + 1 - oldLength))
    const header = oldLength > 0 ? received.bytes : bytes
    const from = oldLength > 0 ? 0 : start
    const end = header.indexOf(blankLine, Math.max(from, oldLength - blankLine.length))
    checkStart(header, from)
    const length = (end < 0 ? header.length : end + blankLine.length) - from
    if (length > headerBytes) throw new FramingError(`header: expected at most ${headerBytes} bytes`)
    if (end < 0) {
      if (oldLength === 0) received.append(bytes.subarray(start))
      return bytes.length
    }
    head = parseHead(header, from, end)
    if (oldLength > 0) received.clear()
    const total = length + head.length
    if (total > limit) throw new FramingError(`message: expected at most ${limit} bytes, got ${total}`)
    return start + length - oldLength
  }

  /** Reads a body or a piece of it, from `start` on. Returns where the bytes after it begin. */
  function readBody({ status, length }: Head, bytes: Buffer, start: number): number {
    const oldLength = received.length
    const end = Math.min(bytes.length, start + length - oldLength)
    const isIncomplete = oldLength + end - start < length
    if (isIncomplete || oldLength > 0) received.append(bytes.subarray(start, end))
    if (isIncomplete) return end
    const text = oldLength > 0 ? received.bytes.toString() : bytes.toString('utf8', start, end)
    if (oldLength > 0) received.clear()
    head = undefined
    onMessage({ status, body: length === 0 ? undefined : text })
    return end
  }

  return {
    feed(bytes) {
      let at = 0
      while (at < bytes.length) {
        if (!head) at = readHeader(bytes, at)
        // Also without further bytes: a message may have no body.
        if (head) at = readBody(head, bytes, at)
      }
    },
  }
}

interface Head {
  status: number
  /** Bytes of the body. */
  length: number
}

function checkStart(bytes: Buffer, start: number): void {
  const length = Math.min(bytes.length - start, protocol.length)
  for (let at = 0; at < length; at += 1) {
    if (bytes[start + at] === protocol[at]) continue
    throw new FramingError(`status line: expected HTTP/1.x, got ${quoted(bytes, start, bytes.length)}`)
  }
}

const tab = 9
const lineFeed = 10
const carriageReturn = 13
const space = 32
const zero = 48
const colon = 58
const noBreakSpace = 160

/** Bytes that make a letter of ASCII a small one. */
const smallLetter = 32

const contentLength = Buffer.from('content-length')
const transferEncoding = Buffer.from('transfer-encoding')

/** Reads the bytes in place: thousands of agents reply at once, and a text of each line would cost ten times as much. */
function parseHead(bytes: Buffer, start: number, end: number): Head {
  const lineEnd = endOfLine(bytes, start, end)
  const status = statusOf(bytes, start, lineEnd)
  let length: number | undefined
  for (let at = lineEnd + 2; at < end; ) {
    const fieldEnd = endOfLine(bytes, at, end)
    const nameEnd = endOfName(bytes, at, fieldEnd)
    if (isName(transferEncoding, bytes, at, nameEnd)) {
      throw new FramingError('header: expected Content-Length, got Transfer-Encoding')
    }
    if (isName(contentLength, bytes, at, nameEnd)) length = lengthOf(bytes, nameEnd + 1, fieldEnd, length)
    at = fieldEnd + 2
  }
  return { status, length: length ?? 0 }
}

/** Where the next line break is, or `end`. */
function endOfLine(bytes: Buffer, start: number, end: number): number {
  for (let at = start; at < end; at += 1) {
    if (bytes[at] === carriageReturn && bytes[at + 1] === lineFeed) return at
  }
  return end
}

/** The three digits between the protocol and the phrase, if there is one. */
function statusOf(bytes: Buffer, start: number, end: number): number {
  const version = start + protocol.length
  const at = version + 2
  const [hundreds, tens, units] = [digitAt(bytes, at), digitAt(bytes, at + 1), digitAt(bytes, at + 2)]
  const isSeparated = bytes[version + 1] === space && (at + 3 === end || (at + 3 < end && bytes[at + 3] === space))
  if (digitAt(bytes, version) >= 0 && isSeparated && hundreds > 0 && tens >= 0 && units >= 0) {
    return hundreds * 100 + tens * 10 + units
  }
  throw new FramingError(`status line: expected a status from 100 to 999, got ${quoted(bytes, start, end)}`)
}

/** -1 for another byte. */
function digitAt(bytes: Buffer, at: number): number {
  const digit = (bytes[at] ?? 0) - zero
  return digit >= 0 && digit <= 9 ? digit : -1
}

/** Checks a header field; returns where its name ends. */
function endOfName(bytes: Buffer, start: number, end: number): number {
  let nameEnd = start
  while (nameEnd < end && bytes[nameEnd] !== colon && !isWhiteSpace(bytes[nameEnd])) nameEnd += 1
  const isValid = nameEnd > start && nameEnd < end && bytes[nameEnd] === colon && isOneLine(bytes, nameEnd, end)
  if (isValid) return nameEnd
  throw new FramingError(`header: expected "Name: value", got ${quoted(bytes, start, end)}`)
}

function isOneLine(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    if (bytes[at] === carriageReturn || bytes[at] === lineFeed) return false
  }
  return true
}

const isBlank = (byte: number | undefined): boolean => byte === space || byte === tab

/** Of Latin-1, as `\s` in regular expressions. */
const isWhiteSpace = (byte = 0): boolean =>
  byte === space || (byte >= tab && byte <= carriageReturn) || byte === noBreakSpace

/** `name` is in lower case, the header in any. */
function isName(name: Buffer, bytes: Buffer, start: number, end: number): boolean {
  if (end - start !== name.length) return false
  for (let at = 0; at < name.length; at += 1) {
    if (((bytes[start + at] ?? 0) | smallLetter) !== name[at]) return false
  }
  return true
}

/** Most digits of a length. */
const lengthDigits = 15

/** `former`: of an earlier field with that name. */
function lengthOf(bytes: Buffer, start: number, end: number, former: number | undefined): number {
  let first = start
  let last = end
  while (first < last && isBlank(bytes[first])) first += 1
  while (last > first && isBlank(bytes[last - 1])) last -= 1
  let length = 0
  let isNumber = last > first && last - first <= lengthDigits
  for (let at = first; at < last && isNumber; at += 1) {
    const digit = digitAt(bytes, at)
    length = length * 10 + digit
    isNumber = digit >= 0
  }
  if (isNumber && (former === undefined || former === length)) return length
  throw new FramingError(`Content-Length: expected one number, got ${quoted(bytes, first, last)}`)
}

/** Characters of an error. */
const quotedLength = 40

const quoted = (bytes: Buffer, start: number, end: number): string =>
  JSON.stringify(bytes.toString('latin1', start, Math.min(end, start + quotedLength)))

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
