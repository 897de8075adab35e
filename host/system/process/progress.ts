// Counts what the daemon gets done, in memory that the thread of the watchdog shares.

/** Its first element. */
export const progress = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))

/** To be called where a request begins or ends, or a slice of long work: the process is not stuck. */
export function noteProgress(): void {
  Atomics.add(progress, 0, 1)
}
