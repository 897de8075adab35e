// Builds the store's interface over tables in memory; writing mutations to disk is up to the adapter.
import type { Store } from '../store.ts'
import { centers } from './centers.ts'
import { computers } from './computers.ts'
import { backup } from './dump.ts'
import { images } from './images.ts'
import { inventory } from './inventory.ts'
import { jobs } from './jobs.ts'
import { procedures } from './procedures.ts'
import { internName } from './profiles.ts'
import { schedules } from './schedules.ts'
import type { StoreContext } from './tables/store-context.ts'
import type { Tables } from './tables/tables.ts'
import { Transaction } from './tables/transaction.ts'

/**
 * Resolves when the transaction is on disk; rejects when it cannot be written, after rolling it back. Transactions
 * are committed in the order in which they were applied. An empty one waits for those before it, because its outcome
 * may depend on them.
 */
export type Commit = (transaction: Transaction) => Promise<void>

export function createStore(tables: Tables, commit: Commit): Omit<Store, 'close'> {
  const mutate: StoreContext['mutate'] = async work => {
    const transaction = new Transaction(tables)
    const result = apply(transaction, work)
    await commit(transaction)
    return result
  }
  const context = { tables, mutate }
  return {
    ...centers(context),
    computers: computers(context),
    inventory: inventory(context),
    images: images(context),
    ...procedures(context),
    schedules: schedules(context),
    jobs: jobs(context),
    backup: backup(context),
    filesystems: names =>
      mutate(transaction => names.map(name => internName(tables, transaction, 'filesystems', name))),
  }
}

function apply<Result>(transaction: Transaction, work: (transaction: Transaction) => Result): Result {
  try {
    const result = work(transaction)
    transaction.deleteUnreferenced()
    return result
  } catch (error) {
    transaction.rollback()
    throw error
  }
}
