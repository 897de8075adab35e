// Rejects when a promise takes too long.

/** Settles as `promise` does, or rejects with `message` after that many milliseconds; a later result is ignored. */
export function withTimeout<Result>(promise: Promise<Result>, milliseconds: number, message: string): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(message)), milliseconds)
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
