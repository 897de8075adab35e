// Reads the folder of a daemon that may be running, and writes nothing.
import { createTables, type Tables } from '../memory/tables/tables.ts'
import type { Transaction } from '../memory/tables/transaction.ts'
import { findExistingFiles } from './files.ts'
import { DamagedError, load } from './recovery.ts'

/** A daemon may delete an old file or truncate a record while it is read: reading again finds the new state. */
const maxReads = 5

/** Resolves to everything that was acknowledged before the call, and possibly some later writes. */
export async function readSnapshotOfRunningStore(path: string): Promise<Tables> {
  for (let count = 1; ; count += 1) {
    try {
      const tables = createTables()
      const { end } = await load(path, await findExistingFiles(path), tables)
      if (end && !end.torn) throw new DamagedError(end)
      return tables
    } catch (error) {
      if (count === maxReads) throw error
    }
  }
}

/** The commit of a store that was opened for reading only. */
export async function refuseWrite(transaction: Transaction): Promise<void> {
  if (transaction.changes.length === 0) return
  transaction.rollback()
  throw new Error('store: is open for reading only')
}
