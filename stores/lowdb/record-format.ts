// The files' format: one record a line, `crc32 length json`, so that every damaged byte is noticed and placed.
import { crc32 } from 'node:zlib'

/** Of the files; a snapshot tells it. */
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
  /** Nothing but the end of an unfinished record: no record that was ever complete follows. */
  torn: boolean
}

/** Gives each record's text to `each`, until the bytes end or make no sense. */
export function scan(bytes: Buffer, each: (json: string) => void): Damage | undefined {
  let at = 0
  while (at < bytes.length) {
    const record = recordAt(bytes, at)
    if (!record) return { at, torn: isTail(bytes, at) }
    each(bytes.toString('utf8', record.start, record.end))
    at = record.end + 1
  }
}

interface Span {
  start: number
  end: number
}

/** Where the record says that its text lies. */
function spanAt(bytes: Buffer, at: number): (Span & { sum: string }) | undefined {
  const [head, sum, length] = header.exec(bytes.toString('latin1', at, at + headerBytes)) ?? []
  if (head === undefined || sum === undefined) return undefined
  const start = at + head.length
  return { start, end: start + Number(length), sum }
}

function sumFits(bytes: Buffer, { start, end, sum }: Span & { sum: string }): boolean {
  return end <= bytes.length && crc32(bytes.subarray(start, end)) === Number.parseInt(sum, 16)
}

function recordAt(bytes: Buffer, at: number): Span | undefined {
  const span = spanAt(bytes, at)
  return span && bytes[span.end] === newline && sumFits(bytes, span) ? span : undefined
}

/**
 * A write that was cut short leaves one unfinished record at the end. Anything else has lost records that were
 * complete: a line that ends before the file does, or a good record whose line end was overwritten.
 */
function isTail(bytes: Buffer, at: number): boolean {
  const span = spanAt(bytes, at)
  if (span && sumFits(bytes, span)) return span.end + 1 >= bytes.length
  const lineEnd = bytes.indexOf(newline, at + headerBytes)
  if (lineEnd < 0 || lineEnd === bytes.length - 1) return true
  return span?.end === bytes.length - 1 && !anyRecordAfter(bytes, at)
}

function anyRecordAfter(bytes: Buffer, at: number): boolean {
  for (let end = bytes.indexOf(newline, at); end >= 0; end = bytes.indexOf(newline, end + 1)) {
    if (recordAt(bytes, end + 1)) return true
  }
  return false
}
