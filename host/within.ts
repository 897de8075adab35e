// Waits for a promise, but not for ever.

/** Rejects with `late` when the promise has not settled in that time; what it settles to later is of no use any more. */
export async function within<Result>(milliseconds: number, late: string, promise: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(late)), milliseconds)
  })
  try {
    return await Promise.race([promise, over])
  } finally {
    clearTimeout(timer)
  }
}
