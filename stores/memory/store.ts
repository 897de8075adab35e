// Builds the store's interface over tables in memory; writing mutations to disk is up to the adapter.

import { RecordedTypes } from '../rules/recorded-events.ts'
import type { Store } from '../store.ts'
import { centers } from './centers.ts'
import { computers } from './computers.ts'
import { documents } from './documents.ts'
import { backup } from './dump.ts'
import { images } from './images.ts'
import { inventory } from './inventory.ts'
import { jobs } from './jobs.ts'
import type { Outputs } from './outputs.ts'
import { procedures } from './procedures.ts'
import { schedules } from './schedules.ts'
import { storedEvents } from './stored-events.ts'
import type { Tables } from './tables/tables.ts'
import { type StoreContext, Transaction } from './tables/transaction.ts'
import { tokensAndUsers } from './tokens-and-users.ts'
import { undo } from './undo.ts'

/**
 * Resolves when the transaction is on disk; rejects when it cannot be written, after rolling it back. Transactions
 * are committed in the order in which they were applied. An empty one waits for those before it, because its outcome
 * may depend on them.
 */
type Commit = (transaction: Transaction) => Promise<void>

export function createStore(tables: Tables, outputs: Outputs, commit: Commit): Omit<Store, 'close'> {
  const recorded = new RecordedTypes([])
  const mutate: StoreContext['mutate'] = async work => {
    const transaction = new Transaction(tables, outputs)
    const result = apply(transaction, work)
    await commit(transaction)
    return result
  }
  return createMethods({ tables, outputs, recorded, mutate })
}

function createMethods(context: StoreContext): Omit<Store, 'close'> {
  return {
    ...centers(context),
    computers: computers(context),
    inventory: inventory(context),
    images: images(context),
    ...procedures(context),
    schedules: schedules(context),
    jobs: jobs(context),
    ...tokensAndUsers(context),
    undo: undo(context, createMethods),
    documents: documents(context),
    storedEvents: storedEvents(context, createMethods),
    backup: backup(context),
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
