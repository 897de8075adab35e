// Changes of computers that wait for the next frame: many of one computer cost as much as the last one.
import { batch } from '@preact/signals'
import { type ComputerView, type Condition, computers, counts, failedCount, type Live, pendingClients } from './lab.ts'

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
  const next: Partial<Record<Condition, number>> = {}
  let failed = 0
  const add = ({ live }: ComputerView) => {
    const { condition, failures } = live.peek()
    if (failures.length > 0) failed += 1
    next[condition] = (next[condition] ?? 0) + 1
  }
  for (const computer of computers.peek().values()) add(computer)
  for (const computer of pendingClients.peek()) add(computer)
  failedCount.value = failed
  const before = counts.peek()
  const keys = new Set([...Object.keys(before), ...Object.keys(next)]) as Set<Condition> // `as`: the keys of both
  if ([...keys].some(key => before[key] !== next[key])) counts.value = next
}
