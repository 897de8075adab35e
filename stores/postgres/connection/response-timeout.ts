// Silence of a server, of which only the time counts in which this process ran: after a pause a response may be there, not
// yet read.
import { setTimeout as wait } from 'node:timers/promises'

/** Milliseconds of a slice of the wait; one that ends later than this shows that the process was paused or busy. */
const sliceTime = 100
const lateness = 150

/** In a process that is busy all the time the wait ends after so many late slices in a row. */
const mostLate = 3

/**
 * Resolves when `received`, the number of bytes so far, has not changed for `milliseconds`; a pause of the process counts as
 * one slice. Rejects when `signal` is aborted. Keeps no process alive.
 */
export async function waitForTimeout(
  milliseconds: number,
  signal: AbortSignal,
  received: () => number = () => 0,
): Promise<void> {
  let [silent, late, before] = [0, 0, received()]
  while (silent < milliseconds || (late > 0 && late < mostLate)) {
    const began = performance.now()
    await wait(sliceTime, undefined, { ref: false, signal })
    const passed = performance.now() - began
    late = passed > sliceTime + lateness ? late + 1 : 0
    silent = received() === before ? silent + (late > 0 ? sliceTime : passed) : 0
    before = received()
  }
}
