// Joins outputs that follow each other in a file to blocks, which are written in one step each.
import { offsetOf, segmentOf } from '../memory/tables/output-references.ts'
import { encodeRecord } from './output-record.ts'

/** Bytes from which on a block is written, so that encoding never blocks the event loop. */
const blockBytes = 1 << 20

export interface PendingOutput {
  /** Id of the part's row. */
  part: number
  text: string
}

export interface Block {
  segment: number
  at: number
  records: Buffer[]
  bytes: number
}

/** Encodes one block at a time; leaves out references that are not pending. */
export function* toBlocks(
  references: readonly number[],
  pending: ReadonlyMap<number, PendingOutput>,
): Generator<Block> {
  let block: Block | undefined
  for (const reference of references) {
    const output = pending.get(reference)
    if (!output) continue
    const [segment, at] = [segmentOf(reference), offsetOf(reference)]
    if (block && !isNext(block, segment, at)) {
      yield block
      block = undefined
    }
    block ??= { segment, at, records: [], bytes: 0 }
    const record = encodeRecord(output.part, output.text)
    block.records.push(record)
    block.bytes += record.length
  }
  if (block) yield block
}

const isNext = (block: Block, segment: number, at: number) =>
  block.segment === segment && block.at + block.bytes === at && block.bytes < blockBytes
