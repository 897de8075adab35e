// Waits for a promise, but not for ever.

/** Rejects with `late` when the promise has not settled in that time; what it settles to later is of no use any more. */
export function withTimeout<Result>(milliseconds: number, late: string, promise: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(late)), milliseconds)
    promise.then(
      result => {
        clearTimeout(timer)
        resolve(result)
      },
      error => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
