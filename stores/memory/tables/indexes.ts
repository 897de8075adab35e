// What is kept beside the rows, so that no look-up walks a whole table.
import type { Row } from './row-types.ts'
import type { Index } from './table.ts'

/** Finds the one row of a key. */
export function unique<R extends Row>(key: (row: R) => string) {
  const ids = new Map<string, number>()
  const follow: Index<R> = (before, after) => {
    const old = before && key(before)
    const now = after && key(after)
    if (old === now) return
    // Another row may have taken the key over in the same mutation.
    if (old !== undefined && ids.get(old) === before?.id) ids.delete(old)
    if (now !== undefined && after) ids.set(now, after.id)
  }
  return { follow, id: (wanted: string) => ids.get(wanted) }
}

/** Finds the rows that belong to a parent. */
export function grouped<R extends Row>(parent: (row: R) => number) {
  const groups = new Map<number, Set<number>>()
  const follow: Index<R> = (before, after) => {
    const old = before && parent(before)
    const now = after && parent(after)
    if (old === now) return
    if (old !== undefined && before) {
      const group = groups.get(old)
      group?.delete(before.id)
      if (group?.size === 0) groups.delete(old)
    }
    if (now === undefined || !after) return
    const group = groups.get(now)
    if (group) group.add(after.id)
    else groups.set(now, new Set([after.id]))
  }
  return { follow, ids: (wanted: number) => [...(groups.get(wanted) ?? [])].sort((a, b) => a - b) }
}

/** Keeps what was worked out from rows until one of them changes. */
export function kept<Value>() {
  let value: Value | undefined
  const forget = () => {
    value = undefined
  }
  const read = (make: () => Value) => {
    value ??= make()
    return value
  }
  return { forget, read }
}

/** Ids that are counted in an array, 4 bytes each; callers may name any number, which goes to a map. */
const denseIds = 1 << 24

/** Counts how often the rows of one table are named by others. */
export class Counts {
  /** Ids that nobody names any more. */
  readonly idle = new Set<number>()
  #dense = new Uint32Array(1024)
  readonly #others = new Map<number, number>()

  used(id: number): boolean {
    return this.#get(id) > 0
  }

  /** The index for a table whose rows name ids: `visit` gives each to `name`. 0 names nothing. */
  by<R extends Row>(visit: (row: R, name: (id: number) => void) => void): Index<R> {
    const more = (id: number) => this.#step(id, 1)
    const less = (id: number) => this.#step(id, -1)
    return (before, after) => {
      if (after) visit(after, more)
      if (before) visit(before, less)
    }
  }

  #step(id: number, by: 1 | -1): void {
    if (id === 0) return
    const uses = this.#get(id) + by
    if (id < denseIds) this.#dense[id] = uses
    else if (uses > 0) this.#others.set(id, uses)
    else this.#others.delete(id)
    if (uses === 0) this.idle.add(id)
    else if (uses === 1 && by > 0) this.idle.delete(id)
  }

  #get(id: number): number {
    if (id >= denseIds) return this.#others.get(id) ?? 0
    if (id >= this.#dense.length) this.#grow(id)
    return this.#dense[id] ?? 0
  }

  #grow(id: number): void {
    const wider = new Uint32Array(2 * id)
    wider.set(this.#dense)
    this.#dense = wider
  }
}
