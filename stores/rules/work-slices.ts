// Divides long work into time slices, between which the event loop runs.

const sliceMilliseconds = 5

/** Ticks between two time slices. Of callers and agents that connect, the system hands over one in each. */
const ticksBetween = 16

/** Milliseconds after which the long work goes on although there were fewer ticks. */
const longestBetween = 20

/** Calls `goOn` when the event loop has run for some ticks. */
export function betweenSlices(goOn: () => void): void {
  const end = performance.now() + longestBetween
  let ticks = 0
  const tick = () => {
    ticks += 1
    if (ticks < ticksBetween && performance.now() < end) setImmediate(tick)
    else goOn()
  }
  setImmediate(tick)
}

/**
 * For work that gets the time slices in turn. The function is to be awaited after each step: it returns undefined while
 * the time slice lasts, then a promise for the next one. `onStart` is called at the beginning of each.
 */
export function createSlicePause(onStart = () => {}): () => Promise<void> | undefined {
  let sliceEnd = 0
  let isScheduled = false
  const waiting: (() => void)[] = []

  function startSlice(): void {
    onStart()
    sliceEnd = performance.now() + sliceMilliseconds
    isScheduled = true
    betweenSlices(() => {
      isScheduled = false
      const resume = waiting.shift()
      if (!resume) return
      startSlice()
      resume()
    })
  }

  return () => {
    if (performance.now() < sliceEnd) return undefined
    if (isScheduled) return new Promise(resolve => waiting.push(resolve))
    startSlice()
    return undefined
  }
}
