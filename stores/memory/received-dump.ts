// Receives a dump: outputs are stored while it is read, all other entries are kept until it is complete.
import type { Entry, Part } from '../store.ts'
import { toStoredPart } from './job-parts.ts'
import type { Outputs } from './outputs.ts'
import { chunkIdOf, maxParts, partIndexOf } from './tables/part-ids.ts'
import type { StoredPart } from './tables/row-types.ts'
import type { Tables } from './tables/tables.ts'
import { Transaction } from './tables/transaction.ts'

/** Characters of outputs that are written together. */
const writeCharacters = 1 << 20

export interface ReceivedDump {
  /** Without the parts of jobs. */
  entries: Entry[]
  /** The parts of each chunk by its id: a dump may split the parts of a job at any index. */
  chunks: Map<number, StoredPart[]>
}

/** Outputs that are written already stay without references when it rejects, until their segment is deleted. */
export async function receiveDump(dump: AsyncIterable<Entry>, tables: Tables, outputs: Outputs): Promise<ReceivedDump> {
  const received: ReceivedDump = { entries: [], chunks: new Map() }
  // For the outputs only: they are stored before the transaction whose rows refer to them.
  let batch = new Transaction(tables, outputs)
  let characters = 0
  try {
    for await (const entry of dump) {
      const [, row] = entry
      if (typeof row === 'number' || !('parts' in row)) {
        received.entries.push(entry)
        continue
      }
      for (const [at, part] of row.parts.entries()) {
        addPart(received, batch, row.id * maxParts + row.from + at, part)
        characters += part.output.length
      }
      if (characters <= writeCharacters) continue
      await outputs.write(batch.outputs)
      batch = new Transaction(tables, outputs)
      characters = 0
    }
    await outputs.write(batch.outputs)
    return received
  } catch (error) {
    batch.rollback()
    throw error
  }
}

/** `id` is that of the part's row. */
function addPart({ chunks }: ReceivedDump, batch: Transaction, id: number, part: Part): void {
  const index = partIndexOf({ id })
  const chunk = chunkIdOf((id - index) / maxParts, index)
  const parts = chunks.get(chunk) ?? []
  parts[id - chunk] = toStoredPart(batch, id, part)
  chunks.set(chunk, parts)
}
