// Appends mutations to the journal: all that wait share one record and one fsync.
import type { FileHandle } from 'node:fs/promises'
import type { Edit } from '../records/edit.ts'
import type { StoreLog } from '../store.ts'
import { openJournalFile } from './files.ts'
import { encode } from './record.ts'

/** Text of a record, in characters; more waits for the next one, so that encoding never holds up the event loop. */
const recordLimit = 1 << 20

interface Waiting {
  /** Absent for a turn to the next file. */
  edit: Edit | undefined
  text: string
  resolve(): void
  reject(error: Error): void
}

export interface JournalStart {
  path: string
  generation: number
  /** Bytes of the file so far. */
  size: number
  /** Bytes since the newest snapshot. */
  grown: number
}

export async function openJournal(start: JournalStart, log: StoreLog): Promise<Journal> {
  return new Journal(start, await openJournalFile(start.path, start.generation), log)
}

export class Journal {
  /** Bytes since the newest snapshot. */
  grown: number
  #generation: number
  #size: number
  #handle: FileHandle
  #waiting: Waiting[] = []
  #running: Promise<void> | undefined
  #full = false
  /** Why nothing is written any more. */
  #broken: Error | undefined
  readonly #path: string
  readonly #log: StoreLog

  constructor({ path, generation, size, grown }: JournalStart, handle: FileHandle, log: StoreLog) {
    this.#path = path
    this.#generation = generation
    this.#size = size
    this.grown = grown
    this.#handle = handle
    this.#log = log
  }

  /** Resolves when the edit is on disk; otherwise it is undone, with all that came after it, and this rejects. */
  append(edit: Edit): Promise<void> {
    if (this.#broken) {
      edit.undo()
      return Promise.reject(this.#broken)
    }
    if (edit.changes.length === 0 && !this.#running) return Promise.resolve()
    const text = JSON.stringify(edit.changes).slice(1, -1)
    return this.#wait(text, edit)
  }

  /** Goes on in the next generation's file, after all that was appended before; gives that generation. */
  async turn(): Promise<number> {
    if (this.#broken) throw this.#broken
    await this.#wait('')
    return this.#generation
  }

  /** Resolves when nothing waits any more. */
  async close(): Promise<void> {
    this.#broken ??= new Error('store: is closed')
    await this.#running
    await this.#handle.close()
  }

  #wait(text: string, edit?: Edit): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ edit, text, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#take()
      const [first] = batch
      if (first && !first.edit) await this.#next().then(first.resolve, first.reject)
      else await this.#write(batch).catch(error => this.#refuse(batch, error))
      for (const { resolve } of batch) resolve()
    }
    this.#running = undefined
  }

  /** A turn, or the edits before the next turn up to the limit. */
  #take(): Waiting[] {
    let length = 0
    let count = 0
    for (const { edit, text } of this.#waiting) {
      if (!edit || length > recordLimit) break
      length += text.length
      count += 1
    }
    return this.#waiting.splice(0, count || 1)
  }

  async #write(batch: Waiting[]): Promise<void> {
    const texts = batch.map(({ text }) => text).filter(text => text !== '')
    if (texts.length === 0) return
    const record = encode(`[${texts.join(',')}]`)
    await this.#append(record)
    this.#size += record.length
    this.grown += record.length
    if (this.#full) this.#log.info('store', `${this.#path} has room again: writing goes on`)
    this.#full = false
  }

  async #append(record: Buffer): Promise<void> {
    try {
      for (let done = 0; done < record.length; ) {
        const { bytesWritten } = await this.#handle.write(record, done, record.length - done, this.#size + done)
        done += bytesWritten
      }
    } catch (error) {
      if (!isFull(error)) throw this.#break(error)
      await this.#cut().catch(error => {
        throw this.#break(error)
      })
      if (!this.#full) this.#log.warn('store', `${this.#path} is full: writes are refused until there is room`)
      this.#full = true
      throw error
    }
    // A failed fsync may have dropped the pages: trying it again would succeed and prove nothing.
    await this.#handle.datasync().catch(error => {
      throw this.#break(error)
    })
  }

  /** Removes what was written of a record, so that the next one does not follow half a line. */
  async #cut(): Promise<void> {
    await this.#handle.truncate(this.#size)
    await this.#handle.datasync()
  }

  #break(error: unknown): Error {
    const reason = error instanceof Error ? error.message : String(error)
    this.#log.warn('store', `writing to ${this.#path} failed: writes are refused until the next start (${reason})`)
    this.#broken = new Error(`store: writes are refused since one failed: ${reason}`, { cause: error })
    return this.#broken
  }

  /** Takes back what could not be kept, and what was built on it. */
  #refuse(batch: Waiting[], error: Error): void {
    const refused = [...batch, ...this.#waiting.splice(0)]
    for (const { edit } of refused.toReversed()) edit?.undo()
    for (const { reject } of refused) reject(error)
  }

  async #next(): Promise<void> {
    const handle = await openJournalFile(this.#path, this.#generation + 1)
    const before = this.#handle
    this.#handle = handle
    this.#generation += 1
    this.#size = 0
    this.grown = 0
    await before.close()
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}
