// Assigns outputs to segments, and decides which segments to delete: the oldest ones, and those without references.
import type { StoreLimits } from '../store.ts'
import { offsetOf, segmentOf, segmentSpan } from './outputs.ts'

/** Segments that the limit holds at least: how exactly it is kept, as only whole segments are deleted. */
const segmentsOfLimit = 16

export class OutputSegments {
  /** Bytes by segment, the oldest segment first. */
  readonly #bytes = new Map<number, number>()
  /** The segment to which outputs are added. */
  #newest = 1
  #total = 0
  readonly #limits: StoreLimits

  constructor(limits: StoreLimits) {
    this.#limits = limits
  }

  has(segment: number): boolean {
    return this.#bytes.has(segment)
  }

  bytesOf(segment: number): number {
    return this.#bytes.get(segment) ?? 0
  }

  /** Adds a segment that exists already; segments must be added in their order. */
  restore(segment: number, bytes: number): void {
    this.#newest = segment
    this.#resize(segment, bytes)
  }

  /** Returns a reference to the next `bytes` bytes. */
  assign(bytes: number): number {
    const size = this.bytesOf(this.#newest)
    const limit = Math.min(segmentSpan, Math.ceil(this.#limits.outputs_bytes / segmentsOfLimit))
    if (size > 0 && size + bytes > limit) this.#newest += 1
    const offset = this.bytesOf(this.#newest)
    this.#resize(this.#newest, offset + bytes)
    return this.#newest * segmentSpan + offset
  }

  /** Gives back the bytes of the newest output. Bytes before later outputs stay assigned. */
  undo(reference: number, bytes: number): void {
    const segment = segmentOf(reference)
    const offset = offsetOf(reference)
    if (this.bytesOf(segment) !== offset + bytes) return
    if (segment === this.#newest - 1 && this.bytesOf(this.#newest) === 0) {
      this.#bytes.delete(this.#newest)
      this.#newest = segment
    }
    this.#resize(segment, offset)
  }

  /** Removes and returns the oldest segments until the limit is kept; the newest one stays. */
  takeExcess(): number[] {
    if (this.#total <= this.#limits.outputs_bytes) return []
    const excess: number[] = []
    for (const segment of this.#bytes.keys()) {
      if (this.#total <= this.#limits.outputs_bytes || segment === this.#newest) break
      excess.push(segment)
      this.#remove(segment)
    }
    return excess
  }

  /** Removes and returns the segments without references, apart from the newest one. */
  takeUnused(isUsed: (segment: number) => boolean): number[] {
    const unused = [...this.#bytes.keys()].filter(segment => segment !== this.#newest && !isUsed(segment))
    for (const segment of unused) this.#remove(segment)
    return unused
  }

  #resize(segment: number, bytes: number): void {
    this.#total += bytes - this.bytesOf(segment)
    this.#bytes.set(segment, bytes)
  }

  #remove(segment: number): void {
    this.#total -= this.bytesOf(segment)
    this.#bytes.delete(segment)
  }
}
