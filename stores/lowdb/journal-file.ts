// One journal file: appends a record so that it is on disk as a whole, or not at all.
import type { FileHandle } from 'node:fs/promises'
import { openJournalFile } from './files.ts'

/** A full disk refused a record; nothing of the record is left, and the next one may fit. */
export class DiskFullError extends Error {}

export class JournalFile {
  readonly generation: number
  #size: number
  readonly #handle: FileHandle

  private constructor(generation: number, size: number, handle: FileHandle) {
    this.generation = generation
    this.#size = size
    this.#handle = handle
  }

  /** `size`: the bytes of its complete records. */
  static async open(path: string, generation: number, size: number): Promise<JournalFile> {
    return new JournalFile(generation, size, await openJournalFile(path, generation))
  }

  /**
   * Rejects with `DiskFullError`, or with an error after which the file must not be written again: after a failed
   * fsync the kernel may have dropped dirty pages; a retry would falsely succeed.
   */
  async append(record: Buffer): Promise<void> {
    try {
      await this.#write(record)
    } catch (error) {
      if (!isDiskFull(error)) throw error
      await this.#truncate()
      throw new DiskFullError(error.message, { cause: error })
    }
    this.#size += record.length
  }

  close(): Promise<void> {
    return this.#handle.close()
  }

  async #write(record: Buffer): Promise<void> {
    for (let written = 0; written < record.length; ) {
      const length = record.length - written
      const { bytesWritten } = await this.#handle.write(record, written, length, this.#size + written)
      written += bytesWritten
    }
  }

  /** Removes an incomplete record, so that the next record does not follow half a line. */
  async #truncate(): Promise<void> {
    await this.#handle.truncate(this.#size)
    await this.#handle.datasync()
  }
}

function isDiskFull(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}
