// Reads the status line and the headers of an agent's message, in place, in linear time.

/** The bytes are not a valid message, or one too many. The connection cannot be used any longer. */
export class FramingError extends Error {}

const protocol = Buffer.from('HTTP/1.')

export interface Head {
  status: number
  /** Bytes of the body. */
  length: number
}

export function checkStart(bytes: Buffer, start: number): void {
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
export function parseHead(bytes: Buffer, start: number, end: number): Head {
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
