// Outputs as bytes of their files: checksum, length, id of the part's row, encoding, text; and many of them as blocks.
import { crc32 } from 'node:zlib'
import { offsetOf, segmentOf } from '../../memory/outputs.ts'

const sumBytes = 4
const lengthAt = sumBytes
const partAt = lengthAt + 4
const encodingAt = partAt + 8
const headerBytes = encodingAt + 1

/** Its index is the number in the record. A text that was cut within a character has no UTF-8. */
const encodings = ['utf8', 'utf16le'] as const

const encodingOf = (text: string) => (text.isWellFormed() ? 'utf8' : 'utf16le')

interface OutputText {
  /** Id of the part's row. */
  part: number
  text: string
}

/** Bytes of the record with this text. */
export const recordBytes = (text: string): number => headerBytes + Buffer.byteLength(text, encodingOf(text))

/** Writes the record, which takes `length` bytes, into the buffer at `at`. */
export function writeRecord(buffer: Buffer, at: number, length: number, { part, text }: OutputText): void {
  const encoding = encodingOf(text)
  buffer.writeUInt32LE(length - headerBytes, at + lengthAt)
  buffer.writeDoubleLE(part, at + partAt)
  buffer.writeUInt8(encodings.indexOf(encoding), at + encodingAt)
  buffer.write(text, at + headerBytes, encoding)
  buffer.writeUInt32LE(crc32(buffer.subarray(at + sumBytes, at + length)), at)
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

/** Bytes from which on a block is written, so that encoding never blocks the event loop. */
const blockBytes = 1 << 20

export interface PendingOutput extends OutputText {
  /** Bytes of its record. */
  bytes: number
}

export interface Block {
  segment: number
  at: number
  bytes: Buffer
}

/** Encodes one block at a time; leaves out references that are not pending. */
export function* toBlocks(
  references: readonly number[],
  pending: ReadonlyMap<number, PendingOutput>,
): Generator<Block> {
  let outputs: PendingOutput[] = []
  let [segment, at, bytes] = [0, 0, 0]
  for (const reference of references) {
    const output = pending.get(reference)
    if (!output) continue
    const isNext = segmentOf(reference) === segment && offsetOf(reference) === at + bytes && bytes < blockBytes
    if (!isNext) {
      if (outputs.length > 0) yield { segment, at, bytes: encode(outputs, bytes) }
      outputs = []
      segment = segmentOf(reference)
      at = offsetOf(reference)
      bytes = 0
    }
    outputs.push(output)
    bytes += output.bytes
  }
  if (outputs.length > 0) yield { segment, at, bytes: encode(outputs, bytes) }
}

function encode(outputs: readonly PendingOutput[], bytes: number): Buffer {
  const block = Buffer.allocUnsafe(bytes)
  let at = 0
  for (const output of outputs) {
    writeRecord(block, at, output.bytes, output)
    at += output.bytes
  }
  return block
}
