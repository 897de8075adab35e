// Pieces of work one after the other, however many are asked for at once.

/** Each piece begins when the one before has ended, in whichever way; a piece that waits for a later one waits for ever. */
export type Mutex = <T>(work: () => Promise<T>) => Promise<T>

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return work => {
    const mine = last.then(work)
    last = mine.catch(() => {})
    return mine
  }
}
