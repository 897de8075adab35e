// Runs asynchronous work one at a time, in the order of the calls.

/**
 * Runs `work` when all earlier work has settled, and settles as it does. Not re-entrant: work that waits for later
 * work of the same mutex never ends.
 */
export type Mutex = <T>(work: () => Promise<T>) => Promise<T>

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const result = last.then(work)
    last = result.catch(() => {})
    return result
  }
}
