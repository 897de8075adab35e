// Divides long reads into time slices: between them the event loop runs; the reads get them in turn.

const sliceMilliseconds = 5

/** Ticks between two time slices. Of callers and agents that connect, the system hands over one in each. */
const ticksBetween = 16

/** Milliseconds after which the reads go on although there were fewer ticks. */
const longestBetween = 20

let sliceEnd = 0
let isScheduled = false
const waiting: (() => void)[] = []

/** To be awaited after each step of a long read: undefined while the time slice lasts, then a promise for the next one. */
export function readPause(): Promise<void> | undefined {
  if (performance.now() < sliceEnd) return undefined
  if (isScheduled) return new Promise(resolve => waiting.push(resolve))
  startSlice()
  return undefined
}

function startSlice(): void {
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

function betweenSlices(goOn: () => void): void {
  const end = performance.now() + longestBetween
  let ticks = 0
  const tick = () => {
    ticks += 1
    if (ticks < ticksBetween && performance.now() < end) setImmediate(tick)
    else goOn()
  }
  setImmediate(tick)
}
