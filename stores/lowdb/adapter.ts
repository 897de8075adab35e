// lowdb's adapter for a folder: reading is snapshot plus journal, writing takes a snapshot.
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Adapter } from 'lowdb'
import { createTables, type Tables } from '../memory/tables/tables.ts'
import type { Edit } from '../memory/tables/transaction.ts'
import type { StoreLog, StoreOptions } from '../store.ts'
import { dropOld, find } from './files.ts'
import { Journal } from './journal.ts'
import { JournalFile } from './journal-file.ts'
import { Damaged, load } from './recovery.ts'
import { capture, writeSnapshot } from './snapshot.ts'

export class Folder implements Adapter<Tables> {
  #journal: Journal | undefined
  #snapshotBytes = 0
  #snapshot: Promise<void> | undefined
  readonly #stopping = new AbortController()
  readonly #path: string
  /** Journal after which a snapshot is taken, unless half of the last one is more: what a start may cost. */
  readonly #journalBytes: number
  readonly #log: StoreLog

  constructor({ path, journal_bytes = 8 << 20 }: StoreOptions, log: StoreLog) {
    const isCount = typeof journal_bytes === 'number' && journal_bytes > 0
    if (!isCount) throw new Error(`store.journal_bytes: expected a number of bytes, got ${journal_bytes}`)
    this.#path = path
    this.#journalBytes = journal_bytes
    this.#log = log
  }

  /** Nothing in the folder is touched before all of it was found to be good. */
  async read(): Promise<Tables> {
    const tables = createTables()
    const found = await find(this.#path)
    const { generation, size, journals, snapshot, end } = await load(this.#path, found, tables)
    if (end && !end.torn) throw new Damaged(end)
    if (end) {
      await cut(end.file, end.at)
      this.#log.warn('store', `${end.file}: cut off an unfinished record of ${end.bytes} bytes at byte ${end.at}`)
    }
    for (const name of found.unfinished) await rm(join(this.#path, name))
    const file = await JournalFile.open(this.#path, generation, size)
    this.#journal = new Journal(this.#path, file, journals, this.#log)
    this.#snapshotBytes = snapshot
    return tables
  }

  append(edit: Edit): Promise<void> {
    return this.#opened().append(edit)
  }

  /** Whether it is time for a snapshot. */
  get due(): boolean {
    const limit = Math.max(this.#journalBytes, this.#snapshotBytes / 2)
    return this.#snapshot === undefined && this.#opened().grown > limit
  }

  /** The rows are those of this moment, unless a snapshot is being written already. */
  write(tables: Tables): Promise<void> {
    this.#snapshot ??= this.#write(tables)
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

  async #write(tables: Tables): Promise<void> {
    const state = capture(tables)
    const journal = this.#opened()
    const generation = await journal.turn()
    this.#snapshotBytes = await writeSnapshot(this.#path, generation, state, this.#stopping.signal)
    await dropOld(this.#path)
  }

  #opened(): Journal {
    if (!this.#journal) throw new Error(`store: ${this.#path} was not read yet`)
    return this.#journal
  }
}

async function cut(file: string, at: number): Promise<void> {
  const handle = await open(file, 'r+')
  try {
    await handle.truncate(at)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
