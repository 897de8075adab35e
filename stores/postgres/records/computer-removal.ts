// Locking and deleting computers.
import type { Expression, SqlBool } from 'kysely'
import { sql } from 'kysely'
import type { Computer } from '../../store.ts'
import type { Statements } from '../connection/database.ts'
import { computerColumns, toComputer } from './computer-rows.ts'

/** In the order of their ids. */
export async function lockComputers(statements: Statements, condition: Expression<SqlBool>): Promise<Computer[]> {
  const rows = await statements
    .selectFrom('computers')
    .select(computerColumns)
    .where(condition)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map(toComputer)
}

/** The deleted computers, in the order of the rooms. */
export async function removeComputersOfRooms(statements: Statements, rooms: readonly number[]): Promise<Computer[]> {
  const computers = await removeComputers(statements, sql`room = any(${rooms}::bigint[])`)
  return computers.sort((a, b) => a.room - b.room || a.id - b.id)
}

/** Triggers delete what only these computers named. */
export async function removeComputers(statements: Statements, condition: Expression<SqlBool>): Promise<Computer[]> {
  const rows = await statements
    .deleteFrom('computers')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('computers').select('id').where(condition).orderBy('id').forUpdate(),
    )
    .returning(computerColumns)
    .execute()
  return rows.map(toComputer)
}
