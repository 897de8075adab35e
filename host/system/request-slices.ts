// The long work of requests: between its time slices the event loop runs; the requests get them in turn.
import { createSlicePause } from '../../stores/rules/work-slices.ts'
import type { SlicesService } from '../contract/services.ts'
import { noteProgress } from './process/progress.ts'

/** Items that are sorted at once. */
const runLength = 256

type Comparator<Item> = (one: Item, other: Item) => number

/** To be awaited after each step of long work: undefined while the time slice lasts, then a promise for the next one. */
export const requestPause = createSlicePause(noteProgress)

export const slices: SlicesService = { pause: requestPause, forEach, sort }

async function forEach<Item>(items: Iterable<Item>, work: (item: Item) => void): Promise<void> {
  for (const item of items) {
    work(item)
    const pause = requestPause()
    if (pause) await pause
  }
}

async function sort<Item>(items: readonly Item[], compare: Comparator<Item>): Promise<Item[]> {
  let runs: Item[][] = []
  for (let start = 0; start < items.length; start += runLength) {
    runs.push(items.slice(start, start + runLength).sort(compare))
    await requestPause()
  }
  while (runs.length > 1) {
    const longer: Item[][] = []
    for (let at = 0; at < runs.length; at += 2) longer.push(await merge(runs[at] ?? [], runs[at + 1] ?? [], compare))
    runs = longer
  }
  return runs[0] ?? []
}

/** Of equal items, those of `one` come first. */
async function merge<Item>(one: readonly Item[], other: readonly Item[], compare: Comparator<Item>): Promise<Item[]> {
  const merged: Item[] = []
  const rest = other[Symbol.iterator]()
  let next = rest.next()
  await forEach(one, item => {
    for (; !next.done && compare(next.value, item) < 0; next = rest.next()) merged.push(next.value)
    merged.push(item)
  })
  for (; !next.done; next = rest.next()) merged.push(next.value)
  return merged
}
