// Indexes of the tables, so that no query reads a whole table.
import type { Row } from './row-types.ts'

/** Called with every change; `before` is absent for a new row, `after` for a deleted one. */
export type Index<R extends Row> = (before: R | undefined, after: R | undefined) => void

/** Finds the one row of a key. */
export function uniqueIndex<R extends Row>(keyOf: (row: R) => string) {
  const ids = new Map<string, number>()
  const update: Index<R> = (before, after) => {
    const oldKey = before && keyOf(before)
    const newKey = after && keyOf(after)
    if (oldKey === newKey) return
    // In the same mutation another row may already have this key.
    if (oldKey !== undefined && ids.get(oldKey) === before?.id) ids.delete(oldKey)
    if (newKey !== undefined && after) ids.set(newKey, after.id)
  }
  return { update, id: (key: string) => ids.get(key), owner: (row: R) => ids.get(keyOf(row)) }
}

/** Finds the rows that belong to a parent. */
export function groupIndex<R extends Row>(parentOf: (row: R) => number) {
  const groups = new Map<number, Set<number>>()
  const update: Index<R> = (before, after) => {
    const oldParent = before && parentOf(before)
    const newParent = after && parentOf(after)
    if (oldParent === newParent) return
    if (oldParent !== undefined && before) {
      const group = groups.get(oldParent)
      group?.delete(before.id)
      if (group?.size === 0) groups.delete(oldParent)
    }
    if (newParent === undefined || !after) return
    const group = groups.get(newParent)
    if (group) group.add(after.id)
    else groups.set(newParent, new Set([after.id]))
  }
  return { update, ids: (parent: number) => [...(groups.get(parent) ?? [])].sort((a, b) => a - b) }
}

/** A value calculated from rows, until one of them changes. */
export function createCache<Value>() {
  let value: Value | undefined
  const clear = () => {
    value = undefined
  }
  const read = (calculate: () => Value) => {
    value ??= calculate()
    return value
  }
  return { clear, read }
}

/** Counts how often other rows name the rows of one table. */
export class ReferenceCounts {
  /** Ids whose last reference is gone. */
  readonly unreferenced = new Set<number>()
  /** By id: in an array, as a start counts millions. Callers may name any number, for which it has keys. */
  readonly #counts: number[] = []

  has(id: number): boolean {
    return (this.#counts[id] ?? 0) > 0
  }

  /** The index of a table whose rows name ids: `visit` passes each id to its second argument. 0 names nothing. */
  index<R extends Row>(visit: (row: R, reference: (id: number) => void) => void): Index<R> {
    const increment = (id: number) => this.#add(id, 1)
    const decrement = (id: number) => this.#add(id, -1)
    return (before, after) => {
      if (after) visit(after, increment)
      if (before) visit(before, decrement)
    }
  }

  #add(id: number, difference: 1 | -1): void {
    if (id === 0) return
    const count = (this.#counts[id] ?? 0) + difference
    this.#counts[id] = count
    if (count === 0) this.unreferenced.add(id)
    else if (count === 1 && difference > 0) this.unreferenced.delete(id)
  }
}
