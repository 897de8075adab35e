// Rows of a table in an order, by groups. A group is sorted when it is first read, and kept in order from then on.
import type { Index } from './indexes.ts'
import type { Row } from './row-types.ts'

interface Sorting<R> {
  groupOf(row: R): string
  /** No two rows of a group are equal. */
  compare(a: R, b: R): number
}

export class SortedGroups<R extends Row> {
  readonly #groups = new Map<string, R[]>()
  readonly #sorting: Sorting<R>

  constructor(sorting: Sorting<R>) {
    this.#sorting = sorting
  }

  readonly update: Index<R> = (before, after) => {
    // A start and a load put thousands of rows before the first list.
    if (this.#groups.size === 0) return
    if (before) this.#replace(before, 1, [])
    if (after) this.#replace(after, 0, [after])
  }

  /** `all`: the rows of the table. Not to be kept. */
  rows(group: string, all: Iterable<R>): readonly R[] {
    const known = this.#groups.get(group)
    if (known) return known
    const { groupOf, compare } = this.#sorting
    const rows = [...all].filter(row => groupOf(row) === group).sort(compare)
    this.#groups.set(group, rows)
    return rows
  }

  /** Before many rows are deleted: it takes less time to sort the others again. */
  forget(): void {
    this.#groups.clear()
  }

  #replace(row: R, count: number, by: R[]): void {
    const { groupOf, compare } = this.#sorting
    const rows = this.#groups.get(groupOf(row))
    if (rows)
      rows.splice(
        firstIndex(rows, each => compare(each, row) >= 0),
        count,
        ...by,
      )
  }
}

/** The index of the first row with a condition that all rows after it meet, too. */
export function firstIndex<R>(rows: readonly R[], condition: (row: R) => boolean): number {
  let [from, to] = [0, rows.length]
  while (from < to) {
    const middle = (from + to) >> 1
    const row = rows[middle]
    if (row !== undefined && condition(row)) to = middle
    else from = middle + 1
  }
  return from
}
