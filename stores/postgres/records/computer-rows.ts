// Computers as rows of their table: several of them as one table in a statement, locked, and deleted.
import type { Computer } from '../../store.ts'
import type { Statements } from '../connection/database.ts'
import { raw, type Sql, sql, toTable } from '../connection/sql.ts'
import type { Row } from './sql-table.ts'
import { tables } from './tables.ts'

/** The columns of a computer, which may lack some; its hardware is one of them. */
export type ComputerRow = Row & Partial<Pick<Computer, 'id' | 'ip'>> & { room_id?: number; repository_id?: number }

/** The names of all columns but the id. */
export const allNames = Object.keys(tables.computers.types).filter(name => name !== 'id')

/** The names of the columns that at least one of the changes has. */
export const changedNames = (changes: readonly ComputerRow[]): string[] =>
  allNames.filter(name => changes.some(change => change[name] !== undefined))

/**
 * A table `rows` in the order of `rows.number`. With hardware also the table `hardware_profiles`, whose row is missing for
 * a number that no profile has.
 */
export function toComputerTable(names: readonly string[], rows: readonly ComputerRow[]): Sql {
  const table = toTable<Row>('rows', Object.fromEntries(names.map(name => [name, tables.computers.types[name]])), rows)
  return names.includes('hardware_id')
    ? sql`${table} left join hardware_profiles on hardware_profiles.id = rows.hardware_id`
    : table
}

/** The columns of the table `computers` with their values in the table `rows`. */
const toAssignments = (names: readonly string[]) =>
  names.flatMap(name => {
    if (name !== 'hardware_id') return [[name, `rows.${name}`]]
    const number = 'case when hardware_profiles.id is null then rows.hardware_id end'
    return [
      ['hardware_profile_id', 'hardware_profiles.id'],
      ['hardware_number', number],
    ]
  })

/** For `update`: sets these values to those in the table `rows`. */
export const setValues = (names: readonly string[]): Sql =>
  raw(
    toAssignments(names)
      .map(assignment => assignment.join(' = '))
      .join(', '),
  )

/** Adds the computers in their order, so that the ids ascend. One that names a profile which is not there keeps its number. */
export function insertComputers(names: readonly string[], rows: readonly ComputerRow[]): Sql {
  const assignments = toAssignments(names)
  const columns = raw(assignments.map(([column]) => column).join(', '))
  const values = raw(assignments.map(([, value]) => value).join(', '))
  return sql`
    insert into computers (${columns}) select ${values} from ${toComputerTable(names, rows)} order by rows.number`
}

/** In the order of their ids. */
export const lockComputers = (statements: Statements, condition: Sql): Promise<Computer[]> =>
  tables.computers.list(statements, condition, sql`for update`)

/** The deleted computers, in the order of the rooms. */
export async function removeComputersOfRooms(statements: Statements, rooms: readonly number[]): Promise<Computer[]> {
  const computers = await removeComputers(statements, sql`room_id = any(${rooms}::bigint[])`)
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
