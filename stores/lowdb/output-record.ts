// The format of an output in its file: checksum, length, id of the part's row, encoding, text.
import { crc32 } from 'node:zlib'

const sumBytes = 4
const lengthAt = sumBytes
const partAt = lengthAt + 4
const encodingAt = partAt + 8
const headerBytes = encodingAt + 1

/** Its index is the number in the record. A text that was cut within a character has no UTF-8. */
const encodings = ['utf8', 'utf16le'] as const

const encodingOf = (text: string) => (text.isWellFormed() ? 'utf8' : 'utf16le')

/** Bytes of the record with this text. */
export const recordBytes = (text: string): number => headerBytes + Buffer.byteLength(text, encodingOf(text))

export function encodeRecord(part: number, text: string): Buffer {
  const encoding = encodingOf(text)
  const record = Buffer.allocUnsafe(headerBytes + Buffer.byteLength(text, encoding))
  record.writeUInt32LE(record.length - headerBytes, lengthAt)
  record.writeDoubleLE(part, partAt)
  record.writeUInt8(encodings.indexOf(encoding), encodingAt)
  record.write(text, headerBytes, encoding)
  record.writeUInt32LE(crc32(record.subarray(sumBytes)), 0)
  return record
}

/** Bytes of the record that begins here, according to its header; undefined without a header. */
export const lengthOf = (bytes: Buffer): number | undefined =>
  bytes.length < headerBytes ? undefined : headerBytes + bytes.readUInt32LE(lengthAt)

/** The text of the record that begins here; undefined when it is damaged, incomplete, or of another part. */
export function decodeRecord(bytes: Buffer, part: number): string | undefined {
  const length = lengthOf(bytes)
  if (length === undefined || length > bytes.length) return undefined
  if (crc32(bytes.subarray(sumBytes, length)) !== bytes.readUInt32LE(0) || bytes.readDoubleLE(partAt) !== part)
    return undefined
  return bytes.toString(encodings[bytes.readUInt8(encodingAt)], headerBytes, length)
}
