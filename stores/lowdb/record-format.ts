// The format of the files: one record per line, `crc32 length json`, so that every damaged byte is detected and located.
import { crc32 } from 'node:zlib'

/** Version of the format; the first record of a snapshot contains it. */
export const format = 1

const newline = 10

/** The longest header, and less than the shortest record. */
const headerBytes = 20

const header = /^([0-9a-f]{8}) ([1-9]\d{0,9}) /

export function encode(json: string): Buffer {
  const body = Buffer.from(json)
  const sum = crc32(body).toString(16).padStart(8, '0')
  return Buffer.concat([Buffer.from(`${sum} ${body.length} `), body, Buffer.of(newline)])
}

export interface Damage {
  at: number
  /** Only an incomplete record at the end of the file: no record that was ever complete follows. */
  torn: boolean
}

/** Passes the text of each record to `visit`, until the end or the first damage. */
export function scan(bytes: Buffer, visit: (json: string) => void): Damage | undefined {
  let at = 0
  while (at < bytes.length) {
    const record = recordAt(bytes, at)
    if (!record) return { at, torn: isTorn(bytes, at) }
    visit(bytes.toString('utf8', record.start, record.end))
    at = record.end + 1
  }
}

interface Span {
  start: number
  end: number
}

/** The position of the record's text according to its header. */
function spanAt(bytes: Buffer, at: number): (Span & { sum: string }) | undefined {
  const [head, sum, length] = header.exec(bytes.toString('latin1', at, at + headerBytes)) ?? []
  if (head === undefined || sum === undefined) return undefined
  const start = at + head.length
  return { start, end: start + Number(length), sum }
}

function matchesSum(bytes: Buffer, { start, end, sum }: Span & { sum: string }): boolean {
  return end <= bytes.length && crc32(bytes.subarray(start, end)) === Number.parseInt(sum, 16)
}

function recordAt(bytes: Buffer, at: number): Span | undefined {
  const span = spanAt(bytes, at)
  return span && bytes[span.end] === newline && matchesSum(bytes, span) ? span : undefined
}

/**
 * An interrupted write leaves one incomplete record at the end. In any other case records that were complete are
 * lost: a line ends before the file does, or the line end of a good record was overwritten.
 */
function isTorn(bytes: Buffer, at: number): boolean {
  const span = spanAt(bytes, at)
  if (span && matchesSum(bytes, span)) return span.end + 1 >= bytes.length
  const lineEnd = bytes.indexOf(newline, at + headerBytes)
  if (lineEnd < 0 || lineEnd === bytes.length - 1) return true
  return span?.end === bytes.length - 1 && !hasRecordAfter(bytes, at)
}

function hasRecordAfter(bytes: Buffer, at: number): boolean {
  for (let end = bytes.indexOf(newline, at); end >= 0; end = bytes.indexOf(newline, end + 1)) {
    if (recordAt(bytes, end + 1)) return true
  }
  return false
}
