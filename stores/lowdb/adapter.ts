// lowdb's adapter for a folder: reading loads snapshot and journal, writing takes a snapshot.
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Adapter } from 'lowdb'
import { createTables, type Tables } from '../memory/tables/tables.ts'
import type { Transaction } from '../memory/tables/transaction.ts'
import type { StoreLog, StoreOptions } from '../store.ts'
import { deleteOldFiles, findFiles } from './files.ts'
import { Journal } from './journal.ts'
import { JournalFile } from './journal-file.ts'
import { DamagedError, load } from './recovery.ts'
import { capture, writeSnapshot } from './snapshot.ts'

/** Bytes of journal after which a snapshot is taken; they limit how long a start takes. */
const defaultJournalBytes = 8 << 20

export class Folder implements Adapter<Tables> {
  #journal: Journal | undefined
  #snapshotBytes = 0
  #snapshot: Promise<void> | undefined
  readonly #stopping = new AbortController()
  readonly #path: string
  readonly #journalBytes: number
  readonly #log: StoreLog

  constructor({ path, journal_bytes = defaultJournalBytes }: StoreOptions, log: StoreLog) {
    const isCount = typeof journal_bytes === 'number' && journal_bytes > 0
    if (!isCount) {
      throw new Error(`store.journal_bytes: expected a number of bytes, got ${JSON.stringify(journal_bytes)}`)
    }
    this.#path = path
    this.#journalBytes = journal_bytes
    this.#log = log
  }

  /** Changes nothing in the folder before all files have been read without error. */
  async read(): Promise<Tables> {
    const tables = createTables()
    const files = await findFiles(this.#path)
    const { generation, size, journals, snapshot, end } = await load(this.#path, files, tables)
    if (end && !end.torn) throw new DamagedError(end)
    if (end) {
      await truncate(end.file, end.at)
      this.#log.warn('store', `${end.file}: removed an incomplete record of ${end.bytes} bytes at byte ${end.at}`)
    }
    for (const name of files.unfinished) await rm(join(this.#path, name))
    const file = await JournalFile.open(this.#path, generation, size)
    this.#journal = new Journal(this.#path, file, journals, this.#log)
    this.#snapshotBytes = snapshot
    return tables
  }

  append(transaction: Transaction): Promise<void> {
    return this.#openJournal().append(transaction)
  }

  /** The journal may grow to half the size of the last snapshot, so that large stores take fewer snapshots. */
  get isSnapshotDue(): boolean {
    const limit = Math.max(this.#journalBytes, this.#snapshotBytes / 2)
    return this.#snapshot === undefined && this.#openJournal().bytesSinceSnapshot > limit
  }

  /** Takes a snapshot of the rows of this moment, or waits for the snapshot that is already being written. */
  write(tables: Tables): Promise<void> {
    this.#snapshot ??= this.#takeSnapshot(tables)
      .catch(error => {
        if (!this.#stopping.signal.aborted) throw error
      })
      .finally(() => {
        this.#snapshot = undefined
      })
    return this.#snapshot
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    await this.#snapshot?.catch(() => {})
    await this.#journal?.close()
  }

  async #takeSnapshot(tables: Tables): Promise<void> {
    const state = capture(tables)
    const journal = this.#openJournal()
    const generation = await journal.rotate()
    this.#snapshotBytes = await writeSnapshot(this.#path, generation, state, this.#stopping.signal)
    await deleteOldFiles(this.#path)
  }

  #openJournal(): Journal {
    if (!this.#journal) throw new Error(`store: ${this.#path} is used before it was read`)
    return this.#journal
  }
}

async function truncate(file: string, at: number): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.truncate(at)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
