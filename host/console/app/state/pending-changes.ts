// Changes of computers that wait for the next frame: many of one computer cost as much as the last one.
import { batch } from '@preact/signals'
import {
  type ComputerView,
  type Condition,
  type ConditionCounts,
  conditions,
  counts,
  hasFailed,
  type Live,
  pendingClients,
  rooms,
} from './lab.ts'

let pending = new Map<ComputerView, Live>()
let frame = 0

/** The newest state of a computer, shown or not. */
export const newestOf = (computer: ComputerView): Live => pending.get(computer) ?? computer.live.peek()

/** Shows the change with the next frame. */
export function change(computer: ComputerView, part: Partial<Live>): void {
  const before = newestOf(computer)
  // A loop over the keys costs less than another object for each event that changes nothing.
  if (!differs(before, part)) return
  pending.set(computer, { ...before, ...part })
  if (frame === 0) frame = requestAnimationFrame(flush)
}

function differs(before: Live, part: Partial<Live>): boolean {
  for (const key in part) {
    // `as`: TypeScript takes the keys of a loop for any text.
    if (part[key as keyof Live] !== before[key as keyof Live]) return true
  }
  return false
}

function flush(): void {
  frame = 0
  const changes = pending
  pending = new Map()
  batch(() => {
    for (const [computer, live] of changes) computer.live.value = live
    countConditions()
  })
}

export function countConditions(): void {
  let all = countOf(pendingClients.peek())
  for (const room of rooms.peek()) {
    const own = countOf(room.computers)
    if (isOther(own, room.counts.peek())) room.counts.value = own
    all = sumOf(all, own)
  }
  if (isOther(all, counts.peek())) counts.value = all
}

/** An effect that calls it follows the computers. */
export function countOf(computers: readonly ComputerView[]): ConditionCounts {
  const byCondition: Partial<Record<Condition, number>> = {}
  let failed = 0
  for (const { live } of computers) {
    const { condition } = live.value
    if (hasFailed(live.value)) failed += 1
    byCondition[condition] = (byCondition[condition] ?? 0) + 1
  }
  return { byCondition, failed }
}

function sumOf(one: ConditionCounts, other: ConditionCounts): ConditionCounts {
  const numbers = conditions.map(each => [each, (one.byCondition[each] ?? 0) + (other.byCondition[each] ?? 0)])
  return { byCondition: Object.fromEntries(numbers), failed: one.failed + other.failed }
}

const isOther = (next: ConditionCounts, before: ConditionCounts): boolean =>
  next.failed !== before.failed ||
  conditions.some(each => (next.byCondition[each] ?? 0) !== (before.byCondition[each] ?? 0))
