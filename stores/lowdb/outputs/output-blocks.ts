// Joins outputs that follow each other in a file to blocks, which are written in one step each.
import { offsetOf, segmentOf } from '../../memory/tables/output-references.ts'
import { type OutputText, writeRecord } from './output-record.ts'

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
