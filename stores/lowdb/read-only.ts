// Reads the folder of a daemon that may be running, and writes nothing.
import { droppedReference, type Outputs } from '../memory/outputs.ts'
import { createStore } from '../memory/store.ts'
import { createTables, type Tables } from '../memory/tables/tables.ts'
import type { Transaction } from '../memory/tables/transaction.ts'
import type { Store, StoreLog } from '../store.ts'
import { findExistingFiles } from './files.ts'
import { DamagedError, load } from './journal/recovery.ts'
import { readLastPosition } from './lock.ts'
import { readOutputs } from './outputs/output-reader.ts'

/** A daemon may delete an old file or truncate a record while it is read: reading again finds the new state. */
const maxReads = 5

export async function openReadOnly(path: string, log: StoreLog): Promise<Store> {
  const tables = await readSnapshotOfRunningStore(path)
  return { ...createStore(tables, createReader(path, log), refuseWrite), async close() {} }
}

/** Resolves to everything that was acknowledged before the call, and possibly some later writes. */
async function readSnapshotOfRunningStore(path: string): Promise<Tables> {
  for (let count = 1; ; count += 1) {
    try {
      const tables = createTables()
      const lastPosition = await readLastPosition(path)
      const { end } = await load(path, await findExistingFiles(path), tables, { lastPosition })
      if (end && !end.torn) throw new DamagedError(end)
      return tables
    } catch (error) {
      if (count === maxReads) throw error
    }
  }
}

/** The commit of a store that was opened for reading only. */
async function refuseWrite(transaction: Transaction): Promise<void> {
  if (transaction.changes.length === 0) return
  transaction.rollback()
  throw new Error('store: is open for reading only')
}

/** Outputs that cannot be added to. */
const createReader = (path: string, log: StoreLog): Outputs => ({
  add: () => droppedReference,
  undo() {},
  async write() {},
  read: references => readOutputs(path, references, log),
  hold: () => () => {},
})
