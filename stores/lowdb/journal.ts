// Appends mutations to the journal: all that wait share one record and one fsync.
import type { Edit } from '../memory/tables/transaction.ts'
import type { StoreLog } from '../store.ts'
import { Full, JournalFile } from './journal-file.ts'
import { encode } from './record-format.ts'

/** Text of a record, in characters; more waits for the next one, so that encoding never holds up the event loop. */
const recordLimit = 1 << 20

interface Waiting {
  /** Absent for a turn to the next file. */
  edit: Edit | undefined
  text: string
  resolve(): void
  reject(error: unknown): void
}

export class Journal {
  /** Bytes since the newest snapshot. */
  grown: number
  #file: JournalFile
  #waiting: Waiting[] = []
  #running: Promise<void> | undefined
  #isFull = false
  /** Why nothing is written any more. */
  #ended: Error | undefined
  readonly #path: string
  readonly #log: StoreLog

  constructor(path: string, file: JournalFile, grown: number, log: StoreLog) {
    this.#path = path
    this.#file = file
    this.grown = grown
    this.#log = log
  }

  /** Resolves when the edit is on disk; otherwise it is undone, with all that came after it, and this rejects. */
  append(edit: Edit): Promise<void> {
    if (this.#ended) {
      edit.undo()
      return Promise.reject(this.#ended)
    }
    if (edit.changes.length === 0 && !this.#running) return Promise.resolve()
    // Rows never change, so this could wait until the flush; here its time is the mutation's own.
    return this.#wait(JSON.stringify(edit.changes).slice(1, -1), edit)
  }

  /** Goes on in the next generation's file, after all that was appended before; gives that generation. */
  async turn(): Promise<number> {
    if (this.#ended) throw this.#ended
    await this.#wait('', undefined)
    return this.#file.generation
  }

  /** Resolves when nothing waits any more. */
  async close(): Promise<void> {
    this.#ended ??= new Error('store: is closed')
    await this.#running
    await this.#file.close()
  }

  #wait(text: string, edit: Edit | undefined): Promise<void> {
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
    await this.#file.append(record)
    this.grown += record.length
    if (this.#isFull) this.#log.info('store', `${this.#path} has room again: writing goes on`)
    this.#isFull = false
  }

  /** Takes back what could not be kept, and what was built on it. */
  #refuse(batch: Waiting[], error: Error): void {
    const reason = error instanceof Full ? this.#waitForRoom(error) : this.#end(error)
    const refused = [...batch, ...this.#waiting.splice(0)]
    for (const { edit } of refused.toReversed()) edit?.undo()
    for (const { reject } of refused) reject(reason)
  }

  #waitForRoom(error: Full): Error {
    if (!this.#isFull) this.#log.warn('store', `${this.#path} is full: writes are refused until there is room`)
    this.#isFull = true
    return new Error(`store: ${this.#path} is full: ${error.message}`, { cause: error })
  }

  #end(error: Error): Error {
    const what = `writing to ${this.#path} failed: ${error.message}`
    this.#log.warn('store', `${what}; writes are refused until the next start`)
    this.#ended = new Error(`store: writes are refused until the next start, as ${what}`, { cause: error })
    return this.#ended
  }

  async #next(): Promise<void> {
    const before = this.#file
    this.#file = await JournalFile.open(this.#path, before.generation + 1, 0)
    this.grown = 0
    await before.close()
  }
}
