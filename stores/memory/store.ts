// The store's rules over tables in memory; how a mutation reaches the disk is the adapter's part.
import type { Store } from '../store.ts'
import { sites } from './centers.ts'
import { computers } from './computers.ts'
import { whole } from './dump.ts'
import { images } from './images.ts'
import { inventory } from './inventory.ts'
import { jobs } from './jobs.ts'
import { plans } from './procedures.ts'
import { internName } from './profiles.ts'
import { schedules } from './schedules.ts'
import type { Tables } from './tables/tables.ts'
import { Edit } from './tables/transaction.ts'

/** What the parts of the store are given. */
export interface Records {
  tables: Tables
  /** Runs `work` as one atomic step and resolves to its result once that is on disk. */
  mutate<Result>(work: (edit: Edit) => Result): Promise<Result>
}

/**
 * Resolves when the edit is on disk; rejects when it cannot be, and has taken it back then. Edits come in the order
 * in which they were applied. An empty one waits for those before it, as its outcome may rest on them.
 */
export type Commit = (edit: Edit) => Promise<void>

export function records(tables: Tables, commit: Commit): Omit<Store, 'close'> {
  const mutate: Records['mutate'] = async work => {
    const edit = new Edit(tables)
    const result = attempt(edit, work)
    await commit(edit)
    return result
  }
  const given = { tables, mutate }
  return {
    ...sites(given),
    computers: computers(given),
    inventory: inventory(given),
    images: images(given),
    ...plans(given),
    schedules: schedules(given),
    jobs: jobs(given),
    backup: whole(given),
    filesystems: names => mutate(edit => names.map(name => internName(tables, edit, 'filesystems', name))),
  }
}

function attempt<Result>(edit: Edit, work: (edit: Edit) => Result): Result {
  try {
    const result = work(edit)
    edit.collect()
    return result
  } catch (error) {
    edit.undo()
    throw error
  }
}
