// Collects bytes that come in pieces of any size: the time for all appends is linear in the number of bytes.

/** Bytes; most heads fit. */
const firstCapacity = 256

const noBytes = Buffer.alloc(0)

export class GrowingBuffer {
  #storage: Buffer = noBytes
  #length = 0

  get length(): number {
    return this.#length
  }

  /** A view, valid until the next call of another function. */
  get bytes(): Buffer {
    return this.#storage.subarray(0, this.#length)
  }

  /** Copies `bytes`. */
  append(bytes: Buffer): void {
    const length = this.#length + bytes.length
    if (length > this.#storage.length) {
      // Doubled, so that each byte is copied about twice in all, however small the pieces are.
      const storage = Buffer.allocUnsafeSlow(Math.max(firstCapacity, length, 2 * this.#storage.length))
      this.bytes.copy(storage)
      this.#storage = storage
    }
    bytes.copy(this.#storage, this.#length)
    this.#length = length
  }
}
