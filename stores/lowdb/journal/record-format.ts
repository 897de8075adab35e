// The format of the files: one record per line, `crc32 length json`, so that every damaged byte is detected and located.
import { crc32 } from 'node:zlib'

export const format = 2

const newline = 10

/** JSON text contains no byte below this one. */
const lowestCharacter = 0x20

/** The longest beginning of a record, and less than the shortest record. */
const beginningBytes = 20

const beginning = /^([0-9a-f]{8}) ([1-9]\d{0,9}) /
const partOfBeginning = /^(?:[0-9a-f]{0,8}|[0-9a-f]{8} (?:[1-9]\d{0,9})?)$/

/** The first record of a file. */
export interface FileHeader {
  format: number
  /** The name that the file was written under. */
  file: string
  /** Only of a journal: the sum of the last record of the journal before. */
  after?: number
}

/**
 * `sum` is that of the record before, 0 for the first one of a file. Each record's sum covers all records of the file up
 * to it: a record that is missing, repeated or moved is detected like a changed byte.
 */
export function encode(json: string, sum: number): { record: Buffer; sum: number } {
  const body = Buffer.from(json)
  const ownSum = crc32(body, sum)
  const text = ownSum.toString(16).padStart(8, '0')
  return { record: Buffer.concat([Buffer.from(`${text} ${body.length} `), body, Buffer.of(newline)]), sum: ownSum }
}

interface Damage {
  at: number
  /** Only the beginning of one record, as an interrupted write leaves it at the end of the file. */
  torn: boolean
}

interface ScanResult {
  /** Bytes of the complete records. */
  size: number
  /** The sum of the last complete record, 0 when there is none. */
  sum: number
  damage: Damage | undefined
}

/** The header of a file; undefined when the first record is damaged. Throws for a file of another format. */
export function readHeader(bytes: Buffer, file: string): FileHeader | undefined {
  const record = recordAt(bytes, 0, 0)
  const header: FileHeader | undefined = record && JSON.parse(bytes.toString('utf8', record.start, record.end))
  if (header && header.format !== format) {
    throw new Error(`store: ${file}: expected format ${format}, got ${header.format}`)
  }
  return header
}

/** Passes the text of each record but the header to `visit`, until the end or the first damage. */
export function scan(bytes: Buffer, visit: (json: string) => void): ScanResult {
  let size = 0
  let sum = 0
  while (size < bytes.length) {
    const record = recordAt(bytes, size, sum)
    if (!record) return { size, sum, damage: { at: size, torn: isTorn(bytes, size) } }
    if (size > 0) visit(bytes.toString('utf8', record.start, record.end))
    size = record.end + 1
    sum = record.sum
  }
  return { size, sum, damage: undefined }
}

/** The position of a record's text, and the record's sum. */
interface Span {
  start: number
  end: number
  sum: number
}

/** As the beginning of the record contains them. */
function spanAt(bytes: Buffer, at: number): Span | undefined {
  const [head, sum, length] = beginning.exec(bytes.toString('latin1', at, at + beginningBytes)) ?? []
  if (head === undefined || sum === undefined) return undefined
  const start = at + head.length
  return { start, end: start + Number(length), sum: Number.parseInt(sum, 16) }
}

/** The record, if it is complete and follows a record with the sum `previous`. */
function recordAt(bytes: Buffer, at: number, previous: number): Span | undefined {
  const span = spanAt(bytes, at)
  if (!span || bytes[span.end] !== newline) return undefined
  return crc32(bytes.subarray(span.start, span.end), previous) === span.sum ? span : undefined
}

/** In the place of multiples of this that did not reach the disk before a power cut, file systems show NULs. */
const sectorBytes = 512

/**
 * An interrupted write leaves the beginning of a record, or after a power cut NULs in the place of some of its sectors.
 * Any other rest of a file was a complete record or more: it ends a line, is as long as its record should be, or contains
 * bytes that no record contains, such as other NULs.
 */
function isTorn(bytes: Buffer, at: number): boolean {
  const written = writtenSectors(bytes, at)
  const hasGaps = written.length < bytes.length - at
  // The end of the record may be there although what is before is not.
  const endsRecord = hasGaps && bytes.at(-1) === newline
  if (written.subarray(0, endsRecord ? -1 : undefined).some(byte => byte < lowestCharacter)) return false
  const span = spanAt(bytes, at)
  if (span) return span.end + 1 > bytes.length - (hasGaps ? 1 : 0)
  const [start = ''] = bytes.toString('latin1', at, at + beginningBytes + 1).split('\0')
  return partOfBeginning.test(start)
}

/** From `at` to the end, without the sectors that have only NULs. */
function writtenSectors(bytes: Buffer, at: number): Buffer {
  const sectors: Buffer[] = []
  for (let from = at; from < bytes.length; from += sectorBytes - (from % sectorBytes)) {
    const sector = bytes.subarray(from, from + sectorBytes - (from % sectorBytes))
    if (sector.some(byte => byte !== 0)) sectors.push(sector)
  }
  return Buffer.concat(sectors)
}
