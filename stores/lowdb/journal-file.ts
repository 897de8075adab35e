// One journal file: appends whole records, on disk when that resolves, or nothing.
import type { FileHandle } from 'node:fs/promises'
import { openJournalFile } from './files.ts'

/** A disk without room refused a record; nothing of it is left, and the next one may fit. */
export class Full extends Error {}

export class JournalFile {
  readonly generation: number
  #size: number
  readonly #handle: FileHandle

  private constructor(generation: number, size: number, handle: FileHandle) {
    this.generation = generation
    this.#size = size
    this.#handle = handle
  }

  /** `size`: the bytes that are in it. */
  static async open(path: string, generation: number, size: number): Promise<JournalFile> {
    return new JournalFile(generation, size, await openJournalFile(path, generation))
  }

  /**
   * Rejects with `Full`, or with an error after which the file must not be written again: a disk that failed to keep
   * pages may have dropped them, and a second attempt would succeed and prove nothing.
   */
  async append(record: Buffer): Promise<void> {
    try {
      await this.#write(record)
    } catch (error) {
      if (!isFull(error)) throw error
      await this.#cut()
      throw new Full(error.message, { cause: error })
    }
    this.#size += record.length
  }

  close(): Promise<void> {
    return this.#handle.close()
  }

  async #write(record: Buffer): Promise<void> {
    for (let done = 0; done < record.length; ) {
      const { bytesWritten } = await this.#handle.write(record, done, record.length - done, this.#size + done)
      done += bytesWritten
    }
  }

  /** Removes what was written of a record, so that the next one does not follow half a line. */
  async #cut(): Promise<void> {
    await this.#handle.truncate(this.#size)
    await this.#handle.datasync()
  }
}

function isFull(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}
