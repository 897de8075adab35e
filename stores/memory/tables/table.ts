// One collection in memory: rows by id, the last id given, and the indexes that follow every change.
import type { Counts } from './indexes.ts'
import type { Row } from './row-types.ts'

/** Is told of every change; `before` is absent for a new row, `after` for a deleted one. */
export type Index<R extends Row> = (before: R | undefined, after: R | undefined) => void

export class Table<R extends Row> {
  last = 0
  readonly uses: Counts | undefined
  readonly #rows = new Map<number, R>()
  readonly #indexes: readonly Index<R>[]

  constructor(indexes: readonly Index<R>[], uses?: Counts) {
    this.#indexes = indexes
    this.uses = uses
  }

  get size(): number {
    return this.#rows.size
  }

  get(id: number | undefined): R | undefined {
    return id === undefined ? undefined : this.#rows.get(id)
  }

  all(): IterableIterator<R> {
    return this.#rows.values()
  }

  /** In the order of the ids; the map's own order differs once a deletion was undone. */
  sorted(): R[] {
    return [...this.#rows.values()].sort((a, b) => a.id - b.id)
  }

  /** An id never given before, and that no row names already: callers may name profiles that do not exist. */
  next(): number {
    do this.last += 1
    while (this.uses?.used(this.last))
    return this.last
  }

  /** Gives the row that it replaces. */
  put(row: R): R | undefined {
    const before = this.#rows.get(row.id)
    this.#rows.set(row.id, row)
    if (row.id > this.last) this.last = row.id
    for (const follow of this.#indexes) follow(before, row)
    return before
  }

  /** Gives the row that went. An id without a row counts as given: so a snapshot keeps the ids of deleted rows. */
  delete(id: number): R | undefined {
    if (id > this.last) this.last = id
    const before = this.#rows.get(id)
    if (!before) return undefined
    this.#rows.delete(id)
    for (const follow of this.#indexes) follow(before, undefined)
    return before
  }
}
