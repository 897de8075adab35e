// Divides long reads into time slices: each tick of the event loop has one of them, which the reads get in turn.

const sliceMilliseconds = 5

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
  setImmediate(() => {
    sliceEnd = 0
    isScheduled = false
    const resume = waiting.shift()
    if (!resume) return
    startSlice()
    resume()
  })
}
