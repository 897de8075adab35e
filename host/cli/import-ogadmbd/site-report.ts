// Counts the rows that an import reads, and lists what it leaves out or what somebody should look at.
import { type SourceTable, sourceTableNames } from './source-tables.ts'

export interface Problem {
  table: SourceTable
  /** The row's key, '' when it concerns the whole table. */
  id: string
  /** `row` when the row is left out, else what is left out of it, or is doubtful: a column, or `table`. */
  what: string
  reason: string
}

export interface TableCount {
  table: SourceTable
  read: number
  kept: number
  left_out: number
}

export type RowKey = Pick<Problem, 'table' | 'id'>

export class SiteReport {
  readonly problems: Problem[] = []
  readonly #read = new Map<SourceTable, number>()
  readonly #dropped = new Map<SourceTable, number>()

  /** Tables in the order in which the page of the schema has them; only those that the database has. */
  get counts(): TableCount[] {
    return sourceTableNames.flatMap(table => {
      const read = this.#read.get(table)
      if (read === undefined) return []
      const left_out = this.#dropped.get(table) ?? 0
      return { table, read, kept: read - left_out, left_out }
    })
  }

  addRead(table: SourceTable, count: number): void {
    this.#read.set(table, (this.#read.get(table) ?? 0) + count)
  }

  /** A row, or several rows that one line of the list stands for, such as all programs of a list. */
  dropRow({ table, id }: RowKey, reason: string, count = 1): void {
    this.#dropped.set(table, (this.#dropped.get(table) ?? 0) + count)
    this.problems.push({ table, id, what: 'row', reason })
  }

  /** What concerns one column of a row that is kept: mostly its value is left out. */
  addProblem({ table, id }: RowKey, column: string, reason: string): void {
    this.problems.push({ table, id, what: column, reason })
  }
}
