// What constraints refuse, as results of the store's methods.
import type { Database, Work } from './database.ts'
import { DatabaseError } from './database-error.ts'

/** A transaction that ends with it is not repeated. */
class Violation extends Error {}

/**
 * The result of the work, or what the constraint means that it has violated, with which its transaction has ended.
 * `conflicts`: by the names of constraints.
 */
export async function orConflict<Result, Conflict>(
  write: Database['write'],
  work: Work<Result>,
  conflicts: Readonly<Record<string, Conflict>>,
): Promise<Result | Conflict> {
  let conflict: Conflict | undefined
  try {
    return await write(async statements => {
      try {
        return await work(statements)
      } catch (error) {
        conflict = error instanceof DatabaseError ? conflicts[error.constraint ?? ''] : undefined
        throw conflict === undefined ? error : new Violation()
      }
    })
  } catch (error) {
    if (conflict !== undefined && error instanceof Violation) return conflict
    throw error
  }
}
