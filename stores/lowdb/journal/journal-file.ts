// One journal file: appends a record so that it is on disk as a whole, or not at all.
import { constants } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { basename } from 'node:path'
import { fileMode } from '../file-modes.ts'
import { journalFile, publish, syncFolder } from '../files.ts'
import { encode, type FileHeader, format } from './record-format.ts'

/** A full disk refused a record; nothing of the record is left, and the next one may fit. */
export class DiskFullError extends Error {}

/** A place in the journal: bytes of the complete records of one of its files. */
export interface JournalPosition {
  generation: number
  size: number
}

/**
 * Each write is on disk when it returns, as with an fsync after it, but with one trip through the thread pool instead of
 * two: a single writer reaches a third more writes per second.
 */
const syncedWrites = constants.O_RDWR | constants.O_DSYNC

export class JournalFile {
  #position: JournalPosition
  /** The sum of the last record. */
  #sum: number
  readonly #handle: FileHandle

  private constructor(position: JournalPosition, sum: number, handle: FileHandle) {
    this.#position = position
    this.#sum = sum
    this.#handle = handle
  }

  /** Continues a file after its complete records; `sum` is that of the last one. */
  static async open(path: string, position: JournalPosition, sum: number): Promise<JournalFile> {
    const handle = await open(journalFile(path, position.generation), syncedWrites)
    try {
      // The last write of a killed process can be read, but may not be on disk yet.
      await handle.datasync()
      await syncFolder(path)
      return new JournalFile(position, sum, handle)
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  /**
   * Creates the file of a new generation; it is on disk when this resolves. `after` is the sum of the last record of the
   * journal before, 0 if there is none. The file gets its name when its header is on disk: one without is damaged.
   */
  static async create(path: string, generation: number, after: number): Promise<JournalFile> {
    const name = journalFile(path, generation)
    const unfinished = `${name}.tmp`
    const handle = await open(unfinished, syncedWrites | constants.O_CREAT | constants.O_TRUNC, fileMode)
    try {
      const file = new JournalFile({ generation, size: 0 }, 0, handle)
      const header: FileHeader = { format, file: basename(name), after }
      await file.append(JSON.stringify(header))
      await publish(path, unfinished, name)
      return file
    } catch (error) {
      // What remains of the file is removed at the next start.
      await Promise.allSettled([handle.close(), rm(unfinished, { force: true })])
      throw error
    }
  }

  get position(): JournalPosition {
    return this.#position
  }

  get sum(): number {
    return this.#sum
  }

  /**
   * Resolves to the bytes of the record. Rejects with `DiskFullError`, or with an error after which the file must not be
   * written again: after a failed fsync the kernel may have dropped dirty pages; a retry would falsely succeed.
   */
  async append(json: string): Promise<number> {
    const { record, sum } = encode(json, this.#sum)
    const { generation, size } = this.#position
    try {
      await this.#write(record)
    } catch (error) {
      if (isDiskFull(error)) await this.#truncate()
      throw toDiskError(error)
    }
    this.#position = { generation, size: size + record.length }
    this.#sum = sum
    return record.length
  }

  close(): Promise<void> {
    return this.#handle.close()
  }

  async #write(record: Buffer): Promise<void> {
    for (let written = 0; written < record.length; ) {
      const length = record.length - written
      const { bytesWritten } = await this.#handle.write(record, written, length, this.#position.size + written)
      written += bytesWritten
    }
  }

  /** Removes an incomplete record, so that the next record does not follow half a line. */
  async #truncate(): Promise<void> {
    await this.#handle.truncate(this.#position.size)
    await this.#handle.datasync()
  }
}

/** `DiskFullError` for an error of a full disk, other errors unchanged. */
export const toDiskError = (error: unknown): unknown =>
  isDiskFull(error) ? new DiskFullError(error.message, { cause: error }) : error

function isDiskFull(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}
