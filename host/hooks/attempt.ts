// How hooks live with a store that fails: a fault is logged, and what must be done is tried again.
import type { FailureLog } from '../cluster/failure-log.ts'

/** Until work on the store that has failed is repeated. */
export const retryMilliseconds = 5000

/** Resolves to false for a fault of the store. */
export async function attempt(failures: FailureLog, work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work()
    failures.succeeded()
    return true
  } catch (error) {
    failures.failed(error)
    return false
  }
}

/** For work that nobody waits for. */
export function inBackground(failures: FailureLog, work: () => Promise<unknown>): void {
  work().catch(error => failures.failed(error))
}
