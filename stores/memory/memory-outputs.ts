// Outputs in memory, for the adapter `memory`: the oldest ones are dropped as from a disk.
import type { StoreLimits } from '../store.ts'
import { OutputSegments } from './output-segments.ts'
import { type OutputReference, type Outputs, segmentOf } from './outputs.ts'
import type { Tables } from './tables/tables.ts'

export class MemoryOutputs implements Outputs {
  #holds = 0
  readonly #texts = new Map<number, Map<number, string>>()
  readonly #segments: OutputSegments
  readonly #tables: Tables

  constructor(tables: Tables, limits: StoreLimits) {
    this.#tables = tables
    this.#segments = new OutputSegments(limits)
  }

  add(_part: number, text: string): number {
    const reference = this.#segments.assign(Buffer.byteLength(text))
    const segment = segmentOf(reference)
    const texts = this.#texts.get(segment) ?? new Map<number, string>()
    this.#texts.set(segment, texts.set(reference, text))
    return reference
  }

  undo(reference: number, text: string): void {
    this.#texts.get(segmentOf(reference))?.delete(reference)
    this.#segments.undo(reference, Buffer.byteLength(text))
  }

  async write(): Promise<void> {}

  async read(references: readonly OutputReference[]): Promise<(string | undefined)[]> {
    return references.map(({ reference }) => this.#texts.get(segmentOf(reference))?.get(reference))
  }

  hold(): () => void {
    this.#holds += 1
    return () => {
      this.#holds -= 1
      this.deleteOld()
    }
  }

  /** Deletes the oldest outputs beyond the limit, and segments without references. */
  deleteOld(): void {
    if (this.#holds > 0) return
    const { outputs } = this.#tables.references
    const unused = outputs.unreferenced.size > 0 ? this.#segments.takeUnused(segment => outputs.has(segment)) : []
    outputs.unreferenced.clear()
    for (const segment of [...unused, ...this.#segments.takeExcess()]) this.#texts.delete(segment)
  }
}
