// Locking and deleting computers.
import type { Computer } from '../../store.ts'
import type { Statements } from '../connection/database.ts'
import { type Sql, sql } from '../connection/sql.ts'
import { tables } from './tables.ts'

/** In the order of their ids. */
export const lockComputers = (statements: Statements, condition: Sql): Promise<Computer[]> =>
  tables.computers.list(statements, condition, sql`for update`)

/** The deleted computers, in the order of the rooms. */
export async function removeComputersOfRooms(statements: Statements, rooms: readonly number[]): Promise<Computer[]> {
  const computers = await removeComputers(statements, sql`room = any(${rooms}::bigint[])`)
  return computers.sort((a, b) => a.room - b.room || a.id - b.id)
}

/** Triggers delete what only these computers named. */
export async function removeComputers(statements: Statements, condition: Sql): Promise<Computer[]> {
  const rows = await sql<object>`
    delete from computers where id in (select id from computers where ${condition} order by id for update)
    returning ${tables.computers.columns}
  `.all(statements)
  return rows.map(row => tables.computers.read(row))
}
