// Receives a dump: outputs are stored while it is read, all other entries are kept until it is complete.
import type { Entry, Part } from '../store.ts'
import { toStoredPart } from './job-parts.ts'
import type { Outputs } from './outputs.ts'
import { isShort } from './tables/output-references.ts'
import { chunkIdOf, maxParts, partIndexOf } from './tables/part-ids.ts'
import type { StoredPart } from './tables/row-types.ts'

/** Characters of outputs that are written together. */
const writeCharacters = 1 << 20

export interface ReceivedDump {
  /** Without the parts of jobs. */
  entries: Entry[]
  /** The parts of each chunk by its id: a dump may split the parts of a job at any index. */
  chunks: Map<number, StoredPart[]>
}

export async function receiveDump(dump: AsyncIterable<Entry>, outputs: Outputs): Promise<ReceivedDump> {
  const received: ReceivedDump = { entries: [], chunks: new Map() }
  const writer = new OutputWriter(outputs)
  try {
    for await (const entry of dump) {
      const [, row] = entry
      if (typeof row === 'number' || !('parts' in row)) received.entries.push(entry)
      else
        for (const [at, part] of row.parts.entries()) addPart(received, writer, row.id * maxParts + row.from + at, part)
      if (writer.isDue) await writer.write()
    }
    await writer.write()
    return received
  } catch (error) {
    writer.undo()
    throw error
  }
}

/** `id` is that of the part's row. */
function addPart({ chunks }: ReceivedDump, writer: OutputWriter, id: number, part: Part): void {
  const index = partIndexOf({ id })
  const chunk = chunkIdOf((id - index) / maxParts, index)
  const parts = chunks.get(chunk) ?? []
  parts[id - chunk] = toStoredPart(writer, id, part)
  chunks.set(chunk, parts)
}

/** Stores outputs before the transaction whose rows refer to them. */
class OutputWriter {
  #added: { reference: number; text: string }[] = []
  #characters = 0
  readonly #outputs: Outputs

  constructor(outputs: Outputs) {
    this.#outputs = outputs
  }

  get isDue(): boolean {
    return this.#characters > writeCharacters
  }

  putOutput(part: number, text: string): string | number {
    if (isShort(text)) return text
    const reference = this.#outputs.add(part, text)
    this.#added.push({ reference, text })
    this.#characters += text.length
    return reference
  }

  async write(): Promise<void> {
    await this.#outputs.write(this.#added.map(({ reference }) => reference))
    this.#added = []
    this.#characters = 0
  }

  /** Outputs that are written already stay without references until their segment is deleted. */
  undo(): void {
    for (const { reference, text } of this.#added.reverse()) this.#outputs.undo(reference, text)
  }
}
