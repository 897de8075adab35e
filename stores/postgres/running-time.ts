// A wait of which only the time counts in which this process ran: after a pause a response may be there, not yet read.
import { setTimeout as wait } from 'node:timers/promises'

/** Milliseconds of a slice of the wait; one that ends later than this shows that the process was paused or busy. */
const sliceTime = 100
const lateness = 150

/** How many times as many slices as needed: the wait ends also on a machine where all of them are late. */
const mostSlices = 3

/** Resolves after `milliseconds` in which the process ran; rejects when `signal` is aborted. Keeps no process alive. */
export async function waitWhileRunning(milliseconds: number, signal: AbortSignal): Promise<void> {
  const needed = Math.ceil(milliseconds / sliceTime)
  for (let count = 0, counted = 0; counted < needed && count < needed * mostSlices; count += 1) {
    const began = performance.now()
    await wait(sliceTime, undefined, { ref: false, signal })
    if (performance.now() - began <= sliceTime + lateness) counted += 1
  }
}
