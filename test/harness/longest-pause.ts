// Measures how long the event loop was blocked by work.

/**
 * Resolves to the result of `work`, and to the most milliseconds of CPU time that passed between two runs of a timer of
 * 10 ms. Time in which a busy machine ran other processes does not count.
 */
export async function measurePause<T>(work: () => Promise<T>): Promise<{ result: T; longest: number }> {
  let longest = 0
  let last = process.cpuUsage()
  const measure = () => {
    const { user, system } = process.cpuUsage(last)
    longest = Math.max(longest, (user + system) / 1000)
    last = process.cpuUsage()
  }
  const timer = setInterval(measure, 10)
  try {
    const result = await work()
    measure()
    return { result, longest }
  } finally {
    clearInterval(timer)
  }
}
