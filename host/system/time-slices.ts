// Divides long work into parts, with event-loop ticks between them, so that a burst does not block other work.
import { betweenSlices } from '../../stores/rules/work-slices.ts'
import { FairQueue } from './fair-queue.ts'

/** Weight of the work that one tick may do; an item weighs 1, and 1 more for each `unitBytes` that it processes. */
const weightPerTick = 200
const unitBytes = 1024

/**
 * Runs `work`, which processes so many bytes: now, or in a later tick, after the work of this caller that waits already.
 * Returns whether it ran now.
 */
export type TimeSlicer = (work: () => void, bytes?: number, caller?: string) => boolean

interface WorkItem {
  work: () => void
  weight: number
}

/** Limits the work of each event-loop tick; the rest waits for later ticks, the callers in turn. */
export function createTimeSlicer(): TimeSlicer {
  const waiting = new FairQueue<WorkItem>()
  let weightDone = 0
  const scheduleTick = perTick(runTick)

  function runTick(): void {
    weightDone = 0
    while (weightDone < weightPerTick) {
      const item = waiting.shift()
      if (!item) return
      run(item.work, item.weight)
    }
  }

  function run(work: () => void, weight: number): void {
    scheduleTick()
    weightDone += weight
    work()
  }

  return (work, bytes = 0, caller = '') => {
    const weight = 1 + Math.floor(bytes / unitBytes)
    const runsNow = waiting.isEmpty && weightDone < weightPerTick
    if (runsNow) run(work, weight)
    else waiting.push(caller, { work, weight })
    return runsNow
  }
}

/** What is left to do in the current tick: one callback for all, as each one of the system's costs time. */
let endings: (() => void)[] = []

/** Calls `work` at the end of the current event-loop tick, after the I/O that is ready in it. */
export function atEndOfTick(work: () => void): void {
  if (endings.length === 0) setImmediate(runEndings)
  endings.push(work)
}

function runEndings(): void {
  const works = endings
  endings = []
  let next = 0
  try {
    for (; next < works.length; next += 1) works[next]?.()
  } finally {
    // One that throws must not keep those after it from running.
    for (const work of works.slice(next + 1)) atEndOfTick(work)
  }
}

/** Resolves at the end of the current event-loop tick, after the I/O that is ready in it. */
export function endOfTick(): Promise<void> {
  return new Promise(atEndOfTick)
}

/**
 * Returns a function that makes `work` run once at the end of the current tick, however often it is called in that
 * tick. The function returns true for the first call of a tick.
 */
export function perTick(work: () => void): () => boolean {
  let isScheduled = false
  return () => {
    if (isScheduled) return false
    isScheduled = true
    atEndOfTick(() => {
      isScheduled = false
      work()
    })
    return true
  }
}

/** Returns a function whose calls in one tick share one promise, which resolves at the end of that tick. */
export function createTickBatch(): () => Promise<void> {
  let end: Promise<void> | undefined
  let resolveEnd = () => {}
  const scheduleEnd = perTick(() => {
    end = undefined
    resolveEnd()
  })
  return () => {
    end ??= new Promise(resolve => {
      resolveEnd = resolve
    })
    scheduleEnd()
    return end
  }
}

/** Calls `work` with chunks of at most `size` items; lets the event loop run for a tick between two chunks. */
export async function forEachChunk<T>(
  items: readonly T[],
  size: number,
  work: (chunk: readonly T[]) => void,
): Promise<void> {
  for (let start = 0; start < items.length; start += size) {
    if (start > 0) await endOfTick()
    work(items.slice(start, start + size))
  }
}

/** Calls `work` for each item; lets the event loop run for some ticks whenever `milliseconds` have passed. */
export async function forEachTimeSliced<T>(
  items: readonly T[],
  milliseconds: number,
  work: (item: T) => void,
): Promise<void> {
  const pause = createPause(milliseconds)
  for (const item of items) {
    work(item)
    const tick = pause()
    if (tick) await tick
  }
}

/**
 * Returns a function to be awaited after each step of long work: it lets the event loop run for some ticks when
 * `milliseconds` have passed since the last time, and is undefined before.
 */
export function createPause(milliseconds: number): () => Promise<void> | undefined {
  let end = performance.now() + milliseconds
  return () => {
    if (performance.now() < end) return undefined
    return new Promise<void>(betweenSlices).then(() => {
      end = performance.now() + milliseconds
    })
  }
}
