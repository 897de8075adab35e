// One row of a table of an ogAdmBD database: its values, and what is reported of it.
import type { RowKey, SiteReport } from './site-report.ts'
import { columnsOf, type SourceTable } from './source-tables.ts'

/** Columns of any table that have addresses. */
const addressColumns = ['ip', 'mac', 'netmask', 'mascara', 'router', 'dns', 'ntp']

/** The rows that a column may name. */
interface KnownIds {
  has(id: number): boolean
}

/** Values that are NULL, and those of columns that the database does not have, are empty. */
export class SourceRow implements RowKey {
  readonly table: SourceTable
  /** The values of the key's columns with `/` between them. */
  readonly id: string
  readonly #values: Record<string, unknown>
  readonly #report: SiteReport

  constructor(table: SourceTable, values: Record<string, unknown>, report: SiteReport) {
    this.table = table
    this.#values = values
    this.#report = report
    this.id = columnsOf(table)
      .key.map(column => this.text(column))
      .join('/')
  }

  text(column: string): string {
    const value = this.#values[column]
    return value === null || value === undefined ? '' : String(value)
  }

  /** NaN for a text that is not a number. */
  number(column: string): number {
    return Number(this.text(column))
  }

  flag(column: string): boolean {
    return this.number(column) > 0
  }

  /** A whole number from 0 on; 0 for any other value. */
  wholeNumber(column: string): number {
    const number = this.number(column)
    if (Number.isSafeInteger(number) && number >= 0) return number
    this.note(column, `expected a whole number from 0 on, got ${this.text(column)}`)
    return 0
  }

  /** The id in a column; 0 when it names no row that is kept, with what follows from that in `consequence`. */
  reference(column: string, table: SourceTable, known: KnownIds, consequence = ''): number {
    const id = this.number(column)
    if (id === 0 || known.has(id)) return id
    this.note(column, `${absenceReason(table, id)}${consequence}`)
    return 0
  }

  /** Why the row is left out, when a column has to name a row that is kept. */
  missing(column: string, table: SourceTable, known: KnownIds): string | undefined {
    const id = this.number(column)
    return known.has(id) ? undefined : `${column}: ${absenceReason(table, id)}`
  }

  /** Reports what concerns a column of a row that is kept. */
  note(column: string, reason: string): void {
    this.#report.addProblem(this, column, reason)
  }

  drop(reason: string): void {
    this.#report.dropRow(this, reason)
  }

  /** Removes the blanks around addresses. */
  trimAddresses(): void {
    for (const column of addressColumns.filter(each => this.text(each) !== this.text(each).trim())) {
      this.#values[column] = this.text(column).trim()
      this.note(column, 'it is kept without blanks')
    }
  }

  get hasNul(): boolean {
    return Object.values(this.#values).some(value => typeof value === 'string' && value.includes('\0'))
  }
}

/** Why a column cannot name the row `id` of another table. */
export const absenceReason = (table: SourceTable, id: number): string =>
  id === 0 ? 'it has none' : `there is no ${table} ${id}, or it is left out`
