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

/**
 * Resolves to the result of `work`, and to the most milliseconds that one tick of the event loop took: of processor time,
 * or of time where that is less, as the threads of Node take processor time too.
 */
export async function longestTick<T>(work: () => Promise<T>): Promise<{ result: T; longest: number }> {
  let longest = 0
  let isMeasuring = true
  let [start, last] = [performance.now(), process.cpuUsage()]
  const measure = () => {
    const { user, system } = process.cpuUsage(last)
    longest = Math.max(longest, Math.min((user + system) / 1000, performance.now() - start))
    ;[start, last] = [performance.now(), process.cpuUsage()]
    if (isMeasuring) setImmediate(measure)
  }
  setImmediate(measure)
  try {
    const result = await work()
    measure()
    return { result, longest }
  } finally {
    isMeasuring = false
  }
}
