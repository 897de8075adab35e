// Whether a history of one value can be explained by one order of its calls: what was acknowledged is never lost, and
// nobody reads what was replaced before.

/** `began` and `ended` on one clock. A write without an answer has `ended` Infinity: it may have happened, at any time since. */
export interface RegisterCall {
  type: 'read' | 'write'
  value: string
  began: number
  ended: number
}

/** Undefined when there is such an order; else the first read or write for which there is none. */
export function findContradiction(calls: readonly RegisterCall[], initial: string): RegisterCall | undefined {
  const seen = new Set(calls.flatMap(({ type, value }) => (type === 'read' ? value : [])))
  const open = calls
    // A write that nobody knows of, and nobody has seen, need not have happened.
    .filter(({ type, value, ended }) => type === 'read' || ended < Number.POSITIVE_INFINITY || seen.has(value))
    .sort((a, b) => a.began - b.began)
  return search(open, initial)
}

/** Depth first. Each state is what is left, and the value; none is gone through twice. */
function search(calls: readonly RegisterCall[], initial: string): RegisterCall | undefined {
  const visited = new Set<string>()
  const stack = [{ left: calls, value: initial }]
  let [fewest, stuck] = [Number.POSITIVE_INFINITY, calls[0]]
  for (let state = stack.pop(); state; state = stack.pop()) {
    const { left, value } = state
    const key = `${value} ${left.map(call => calls.indexOf(call)).join()}`
    if (visited.has(key)) continue
    visited.add(key)
    if (left.every(({ ended }) => ended === Number.POSITIVE_INFINITY)) return undefined
    const end = Math.min(...left.map(({ ended }) => ended))
    if (left.length < fewest) [fewest, stuck] = [left.length, left.find(({ ended }) => ended === end)]
    const possible = left.filter(({ began }) => began <= end)
    const read = possible.find(call => call.type === 'read' && call.value === value)
    // A read changes nothing: it may come first wherever it may come at all.
    const next = read ? [read] : possible.filter(({ type }) => type === 'write').reverse()
    for (const call of next) stack.push({ left: left.filter(each => each !== call), value: call.value })
  }
  return stuck
}
