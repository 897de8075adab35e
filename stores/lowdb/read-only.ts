// Reads a folder whose daemon may be running, and writes nothing.

import { createTables, type Tables } from '../memory/tables/tables.ts'
import type { Edit } from '../memory/tables/transaction.ts'
import { type Found, find } from './files.ts'
import { Damaged, load } from './recovery.ts'

/** A daemon may drop an old file or cut off a record just while it is read: once more finds the new state. */
const attempts = 5

/** What was acknowledged when this was called, and perhaps some of what came after. */
export async function readBeside(path: string): Promise<Tables> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const tables = createTables()
      const { end } = await load(path, await findStore(path), tables)
      if (end && !end.torn) throw new Damaged(end)
      return tables
    } catch (error) {
      if (attempt === attempts) throw error
    }
  }
}

export async function findStore(path: string): Promise<Found> {
  const found = await find(path)
  if (found.snapshots.length + found.journals.length === 0) throw new Error(`store: there is no store in ${path}`)
  return found
}

/** For a store that was opened for reading only. */
export async function refuse(edit: Edit): Promise<void> {
  if (edit.changes.length === 0) return
  edit.undo()
  throw new Error('store: is open for reading only')
}
