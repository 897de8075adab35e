// One collection in memory: rows by id, the last id that was assigned, and the indexes that follow every change.
import { type Index, type ReferenceCounts, uniqueIndex } from './indexes.ts'
import type { Row } from './row-types.ts'

export class Table<R extends Row> {
  last = 0
  readonly #references: ReferenceCounts | undefined
  readonly #rows = new Map<number, R>()
  readonly #keys: ReturnType<typeof uniqueIndex<R>> | undefined
  readonly #indexes: readonly Index<R>[]

  /**
   * `keyOf` returns a text that each row has for itself; `references` counts how often other tables name this table's
   * rows.
   */
  constructor(keyOf?: (row: R) => string, indexes: readonly Index<R>[] = [], references?: ReferenceCounts) {
    this.#keys = keyOf && uniqueIndex(keyOf)
    this.#indexes = this.#keys ? [this.#keys.update, ...indexes] : indexes
    this.#references = references
  }

  get size(): number {
    return this.#rows.size
  }

  get(id: number | undefined): R | undefined {
    return id === undefined ? undefined : this.#rows.get(id)
  }

  /** The row with this key. */
  at(key: string): R | undefined {
    return this.get(this.idOf(key))
  }

  idOf(key: string): number | undefined {
    return this.#keys?.id(key)
  }

  /** Whether another row has the key of this one. */
  isTaken(row: R): boolean {
    const owner = this.#keys?.owner(row)
    return owner !== undefined && owner !== row.id
  }

  all(): IterableIterator<R> {
    return this.#rows.values()
  }

  /** In the order of the ids; the map's own order differs after a deletion was rolled back. */
  sorted(): R[] {
    return [...this.#rows.values()].sort((a, b) => a.id - b.id)
  }

  /** Assigns an id that was never used and that no row names yet: callers may name profiles that do not exist. */
  nextId(): number {
    do this.last += 1
    while (this.#references?.has(this.last))
    return this.last
  }

  /** Returns the row that it replaces. */
  put(row: R): R | undefined {
    const before = this.#rows.get(row.id)
    this.#rows.set(row.id, row)
    if (row.id > this.last) this.last = row.id
    for (const update of this.#indexes) update(before, row)
    return before
  }

  /** Returns the deleted row. An id without a row counts as assigned: a snapshot keeps the ids of deleted rows so. */
  delete(id: number): R | undefined {
    if (id > this.last) this.last = id
    const before = this.#rows.get(id)
    if (!before) return undefined
    this.#rows.delete(id)
    for (const update of this.#indexes) update(before, undefined)
    return before
  }
}
