// One atomic mutation: applied to the tables row by row, and rolled back row by row when it cannot be stored.
import type { FormerList } from '../../rules/moved-addresses.ts'
import type { RecordedTypes } from '../../rules/recorded-events.ts'
import { isShort, type Outputs } from '../outputs.ts'
import type { Change, Row, Rows, TableName } from './row-types.ts'
import type { Table } from './table.ts'
import { internedTables, resetUnreferenced, type Tables } from './tables.ts'

export class Transaction {
  readonly changes: Change[] = []
  /** References to the outputs that the changes name. */
  readonly outputs: number[] = []
  /** The row that each change has replaced or deleted. */
  readonly before: (Row | undefined)[] = []
  /** Lists that had the new addresses of computers. */
  readonly formerLists: FormerList[] = []
  /** The texts of `outputs`: without a function for each, as thousands of parts end at once. */
  readonly #texts: string[] = []
  readonly #tables: Tables
  readonly #outputs: Outputs

  constructor(tables: Tables, outputs: Outputs) {
    this.#tables = tables
    this.#outputs = outputs
  }

  put<Name extends TableName>(name: Name, row: Rows[Name]): void {
    const table: Table<Rows[Name]> = this.#tables.all[name]
    this.before.push(table.put(row))
    this.changes.push([name, row])
  }

  delete<Name extends TableName>(name: Name, id: number): void {
    const table: Table<Rows[Name]> = this.#tables.all[name]
    this.before.push(table.delete(id))
    this.changes.push([name, id])
  }

  /** Returns what the part's row contains of its output: a short text itself, else a reference. */
  putOutput(part: number, text: string): string | number {
    if (isShort(text)) return text
    const reference = this.#outputs.add(part, text)
    this.outputs.push(reference)
    this.#texts.push(text)
    return reference
  }

  /** Deletes the interned rows whose last reference the changes so far have removed. */
  deleteUnreferenced(): void {
    for (const name of internedTables) {
      const { unreferenced } = this.#tables.references[name]
      if (unreferenced.size === 0) continue
      for (const id of unreferenced) if (this.#tables.all[name].get(id)) this.delete(name, id)
      unreferenced.clear()
    }
  }

  /** Transactions must be rolled back newest first. */
  rollback(): void {
    for (const [name, row] of this.changes.toReversed()) {
      const table: Pick<Table<Row>, 'put' | 'delete'> = this.#tables.all[name]
      const before = this.before.pop()
      if (before) table.put(before)
      else table.delete(typeof row === 'number' ? row : row.id)
    }
    for (const reference of this.outputs.toReversed()) this.#outputs.undo(reference, this.#texts.pop() ?? '')
    resetUnreferenced(this.#tables)
  }
}

/** What the collections of the store share: the tables, and the way to change them. */
export interface StoreContext {
  tables: Tables
  outputs: Outputs
  /** Whose events are added to mutations. */
  recorded: RecordedTypes
  /** Runs `work` as one atomic step and resolves to its result once that is on disk. */
  mutate<Result>(work: (transaction: Transaction) => Result): Promise<Result>
}
