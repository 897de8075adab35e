// lowdb's adapter for a folder: reading loads snapshot and journal, writing takes a snapshot.
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Adapter } from 'lowdb'
import { defaultLimits } from '../check-options.ts'
import { createTables, type Tables } from '../memory/tables/tables.ts'
import type { Transaction } from '../memory/tables/transaction.ts'
import type { StoreLimits, StoreLog, StoreOptions } from '../store.ts'
import { deleteOldFiles, findFiles } from './files.ts'
import { Journal } from './journal/journal.ts'
import { JournalFile } from './journal/journal-file.ts'
import { DamagedError, type LoadedFiles, load } from './journal/recovery.ts'
import { capture, writeSnapshot } from './journal/snapshot.ts'
import type { FolderLock } from './lock.ts'
import { OutputFiles } from './outputs/output-files.ts'

/** Bytes of journal after which a snapshot is taken; they limit how long a start takes. */
const defaultJournalBytes = 8 << 20

export interface FolderDeps {
  /** Without a lock the caller makes sure that nobody else uses the folder. */
  lock?: FolderLock
  limits?: StoreLimits
}

export class Folder implements Adapter<Tables> {
  #opened: { journal: Journal; outputs: OutputFiles } | undefined
  #snapshotBytes = 0
  #snapshot: Promise<void> | undefined
  readonly #stopping = new AbortController()
  readonly #path: string
  readonly #journalBytes: number
  readonly #log: StoreLog
  readonly #lock: FolderLock | undefined
  readonly #limits: StoreLimits

  constructor({ path, journal_bytes = defaultJournalBytes }: StoreOptions, log: StoreLog, deps: FolderDeps = {}) {
    const isCount = typeof journal_bytes === 'number' && journal_bytes > 0
    if (!isCount) {
      throw new Error(`store.journal_bytes: expected a number of bytes, got ${JSON.stringify(journal_bytes)}`)
    }
    this.#path = path
    this.#journalBytes = journal_bytes
    this.#log = log
    this.#lock = deps.lock
    this.#limits = deps.limits ?? defaultLimits
  }

  /** Changes nothing in the folder before all files have been read without error. */
  async read(): Promise<Tables> {
    const tables = createTables()
    const outputs = await OutputFiles.open(this.#path, { tables, limits: this.#limits, log: this.#log })
    const files = await findFiles(this.#path)
    const loaded = await load(this.#path, files, tables, { lastPosition: this.#lock?.lastPosition })
    const { end } = loaded
    if (end && !end.torn) throw new DamagedError(end)
    if (end) {
      await truncate(end.file, end.at)
      this.#log.warn('store', `${end.file}: removed an incomplete record of ${end.bytes} bytes at byte ${end.at}`)
    }
    for (const name of files.unfinished) await rm(join(this.#path, name))
    this.#opened = { journal: await this.#openJournal(loaded, outputs), outputs }
    this.#snapshotBytes = loaded.snapshot
    return tables
  }

  get outputs(): OutputFiles {
    return this.#files.outputs
  }

  append(transaction: Transaction): Promise<void> {
    return this.#files.journal.append(transaction)
  }

  /** The journal may grow to half the size of the last snapshot, so that large stores take fewer snapshots. */
  get isSnapshotDue(): boolean {
    const limit = Math.max(this.#journalBytes, this.#snapshotBytes / 2)
    return this.#snapshot === undefined && this.#files.journal.bytesSinceSnapshot > limit
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
    await this.#opened?.journal.close()
    await this.#opened?.outputs.close()
  }

  get #files() {
    if (!this.#opened) throw new Error(`store: ${this.#path} is used before it was read`)
    return this.#opened
  }

  async #takeSnapshot(tables: Tables): Promise<void> {
    const state = capture(tables)
    const generation = await this.#files.journal.rotate()
    this.#snapshotBytes = await writeSnapshot(this.#path, generation, state, this.#stopping.signal)
    await deleteOldFiles(this.#path)
  }

  async #openJournal(loaded: LoadedFiles, outputs: OutputFiles): Promise<Journal> {
    const { generation, size, sum, journals } = loaded
    const file =
      generation < 0
        ? await JournalFile.create(this.#path, 0, 0)
        : await JournalFile.open(this.#path, { generation, size }, sum)
    const journal = new Journal(file, journals, {
      path: this.#path,
      log: this.#log,
      outputs,
      onWritten: position => this.#lock?.record(position),
    })
    await this.#lock?.save()
    return journal
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
