// The methods of the collections of tokens and users. Types only.
import type { Account, New } from './types.ts'

/** Why a token or user cannot be stored. */
export type AccountConflict = 'name taken' | 'unknown center' | 'unknown room'

/** A deleted center or room stays in the lists of tokens and users: see `Account`. */
export interface Accounts<Row extends Account> {
  /** In the order of the ids. */
  list(): Promise<Row[]>
  /** The new id. */
  add(row: New<Row>): Promise<number | AccountConflict>
  /** Values that are undefined change nothing. A center or room that the row names already need not exist any more. */
  update(id: number, change: Partial<New<Row>>): Promise<'updated' | 'unknown' | AccountConflict>
  /** The deleted one, or undefined for an unknown id. */
  delete(id: number): Promise<Row | undefined>
  /** Sets `used` of each one in one step; ignores unknown ids. */
  setUsed(uses: { id: number; used: number }[]): Promise<void>
}
