// Moves outputs that version 1 stored in the rows of parts to files, while the rows are loaded.

import { isShort } from '../../memory/tables/output-references.ts'
import { decodeChunk, encodeChunk, mayContainOutputs } from '../../memory/tables/part-columns.ts'
import type { PartChunk, PartRow, StoredPart } from '../../memory/tables/row-types.ts'
import type { OutputFiles } from './output-files.ts'

/** Characters of outputs that are written together. */
const writeCharacters = 1 << 20

export class OutputTakeover {
  /** Outputs that were moved. */
  count = 0
  /** The first of the new files: existing ones do not change before all rows are loaded. */
  #firstFile: number | undefined
  #added: number[] = []
  #characters = 0
  readonly #outputs: OutputFiles

  constructor(outputs: OutputFiles) {
    this.#outputs = outputs
  }

  /** Returns the row to load. */
  readonly convert = (row: PartRow | PartChunk): PartRow | PartChunk => {
    if (!('states' in row)) return { ...row, output: this.#move(row.id, row) }
    if (!mayContainOutputs(row)) return row
    const before = this.count
    const parts = decodeChunk(row).map((part, at) => ({ ...part, output: this.#move(row.id + at, part) }))
    return this.count > before ? encodeChunk(row.id, parts) : row
  }

  /** Resolves when all outputs are on disk. */
  async finish(): Promise<void> {
    this.#write()
    if (this.#firstFile !== undefined) await this.#outputs.syncFrom(this.#firstFile)
  }

  /** Removes the new files: the rows could not be loaded. */
  async undo(): Promise<void> {
    if (this.#firstFile !== undefined) await this.#outputs.deleteFrom(this.#firstFile)
  }

  #move(part: number, { output }: StoredPart): string | number {
    if (typeof output === 'number' || isShort(output)) return output
    this.#firstFile ??= this.#outputs.beginFile()
    this.count += 1
    this.#characters += output.length
    const reference = this.#outputs.add(part, output)
    this.#added.push(reference)
    if (this.#characters > writeCharacters) this.#write()
    return reference
  }

  #write(): void {
    this.#outputs.writeNow(this.#added)
    this.#added = []
    this.#characters = 0
  }
}
