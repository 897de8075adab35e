// What the collections of the store share: the tables, and the way to change them.
import type { Outputs } from '../outputs.ts'
import type { Tables } from './tables.ts'
import type { Transaction } from './transaction.ts'

export interface StoreContext {
  tables: Tables
  outputs: Outputs
  /** Runs `work` as one atomic step and resolves to its result once that is on disk. */
  mutate<Result>(work: (transaction: Transaction) => Result): Promise<Result>
}
