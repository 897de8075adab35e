// Appends transactions to the journal: all that wait share one record and one fsync.
import type { Transaction } from '../../memory/tables/transaction.ts'
import type { StoreLog } from '../../store.ts'
import { UnsyncedNameError } from '../files.ts'
import type { OutputFiles } from '../outputs/output-files.ts'
import { DiskFullError, JournalFile, type JournalPosition } from './journal-file.ts'

/** Characters of a record; further transactions wait for the next one, so that encoding never blocks the event loop. */
const recordLimit = 1 << 20

interface Pending {
  /** Absent for a rotation to the next file. */
  transaction: Transaction | undefined
  text: string
  resolve(): void
  reject(error: unknown): void
}

export interface JournalDeps {
  path: string
  log: StoreLog
  outputs: OutputFiles
  /** Called after each write with the position up to which the journal is on disk. */
  onWritten(position: JournalPosition): void
}

export class Journal {
  bytesSinceSnapshot: number
  #file: JournalFile
  #pending: Pending[] = []
  #running: Promise<void> | undefined
  #isFull = false
  /** Why nothing is written any more. */
  #closed: Error | undefined
  readonly #deps: JournalDeps

  constructor(file: JournalFile, bytesSinceSnapshot: number, deps: JournalDeps) {
    this.#file = file
    this.bytesSinceSnapshot = bytesSinceSnapshot
    this.#deps = deps
    deps.onWritten(file.position)
  }

  /** Resolves when the transaction is on disk. Rejects after it was rolled back together with all later ones. */
  append(transaction: Transaction): Promise<void> {
    if (this.#closed) {
      transaction.rollback()
      return Promise.reject(this.#closed)
    }
    if (transaction.changes.length === 0 && !this.#running) return Promise.resolve()
    try {
      // Rows never change, so this could wait until the write; here its time counts for the mutation that needs it.
      return this.#enqueue(JSON.stringify(transaction.changes).slice(1, -1), transaction)
    } catch (error) {
      // A value may be nested too deep for JSON, or too long for a text.
      transaction.rollback()
      return Promise.reject(error)
    }
  }

  /** Continues in the file of the next generation after all earlier transactions; resolves to that generation. */
  async rotate(): Promise<number> {
    if (this.#closed) throw this.#closed
    await this.#enqueue('', undefined)
    return this.#file.position.generation
  }

  /** Resolves when nothing is pending any more. */
  async close(): Promise<void> {
    this.#closed ??= new Error('store: is closed')
    await this.#running
    await this.#file.close()
  }

  #enqueue(text: string, transaction: Transaction | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ transaction, text, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  async #run(): Promise<void> {
    while (this.#pending.length > 0) {
      const batch = this.#takeBatch()
      const [first] = batch
      if (first && !first.transaction) await this.#openNextFile().catch(error => this.#stayInFile(first, error))
      else await this.#write(batch).catch(error => this.#refuse(batch, error))
      for (const { resolve } of batch) resolve()
      await this.#deps.outputs.clean(this.#pending.length === 0)
    }
    this.#running = undefined
  }

  /** One rotation, or the transactions before the next rotation up to the limit. */
  #takeBatch(): Pending[] {
    let length = 0
    let count = 0
    for (const { transaction, text } of this.#pending) {
      length += text.length
      if (!transaction || (count > 0 && length > recordLimit)) break
      count += 1
    }
    return this.#pending.splice(0, count || 1)
  }

  async #write(batch: Pending[]): Promise<void> {
    const texts = batch.map(({ text }) => text).filter(text => text !== '')
    if (texts.length === 0) return
    // Before the record that refers to them.
    await this.#deps.outputs.write(batch.flatMap(({ transaction }) => transaction?.outputs ?? []))
    this.bytesSinceSnapshot += await this.#file.append(`[${texts.join(',')}]`)
    this.#deps.onWritten(this.#file.position)
    if (this.#isFull) this.#deps.log.info('store', `${this.#deps.path} has free space again, writes are accepted`)
    this.#isFull = false
  }

  /** Rolls back the transactions that could not be written, and all later ones, which depend on them. */
  #refuse(batch: Pending[], error: Error): void {
    const reason = error instanceof DiskFullError ? this.#pauseWrites(error) : this.#stopWrites(error)
    const refused = [...batch, ...this.#pending.splice(0)]
    for (const { transaction } of refused.toReversed()) transaction?.rollback()
    for (const { reject } of refused) reject(reason)
  }

  /** Records that follow in this file do not fit to a next one that may be there. */
  #stayInFile(rotation: Pending, error: Error): void {
    if (error instanceof UnsyncedNameError) this.#refuse([rotation], error)
    else rotation.reject(error)
  }

  #pauseWrites(error: DiskFullError): Error {
    if (!this.#isFull)
      this.#deps.log.warn('store', `${this.#deps.path} is full, writes are refused until there is free space`)
    this.#isFull = true
    return new Error(`store: ${this.#deps.path} is full: ${error.message}`, { cause: error })
  }

  #stopWrites(error: Error): Error {
    const problem = `could not write to ${this.#deps.path}: ${error.message}`
    this.#deps.log.warn('store', `${problem}; writes are refused until the next start`)
    this.#closed = new Error(`store: ${problem}; writes are refused until the next start`, { cause: error })
    return this.#closed
  }

  async #openNextFile(): Promise<void> {
    const previous = this.#file
    this.#file = await JournalFile.create(this.#deps.path, previous.position.generation + 1, previous.sum)
    this.bytesSinceSnapshot = 0
    this.#deps.onWritten(this.#file.position)
    await previous.close()
  }
}
