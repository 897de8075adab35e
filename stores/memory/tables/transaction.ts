// One atomic mutation: applied to the tables row by row, and taken back row by row when it cannot be kept.
import type { Change, Rows, TableName } from './row-types.ts'
import type { Table } from './table.ts'
import { settle, shared, type Tables } from './tables.ts'

export class Edit {
  readonly changes: Change[] = []
  readonly #back: (() => void)[] = []
  readonly #tables: Tables

  constructor(tables: Tables) {
    this.#tables = tables
  }

  put<Name extends TableName>(name: Name, row: Rows[Name]): void {
    const table: Table<Rows[Name]> = this.#tables.all[name]
    const before = table.put(row)
    this.changes.push([name, row])
    this.#back.push(() => (before ? table.put(before) : table.delete(row.id)))
  }

  delete<Name extends TableName>(name: Name, id: number): void {
    const table: Table<Rows[Name]> = this.#tables.all[name]
    const before = table.delete(id)
    this.changes.push([name, id])
    this.#back.push(() => before && table.put(before))
  }

  /** Deletes the shared rows that the changes so far have left without a user. */
  collect(): void {
    for (const name of shared) {
      const { idle } = this.#tables.uses[name]
      if (idle.size === 0) continue
      for (const id of idle) if (this.#tables.all[name].get(id)) this.delete(name, id)
      idle.clear()
    }
  }

  /** Edits are taken back newest first. */
  undo(): void {
    for (const takeBack of this.#back.reverse()) takeBack()
    settle(this.#tables)
  }
}
