// Computers as rows of their table, and back; several of them as one table in a statement.
import type { Computer, ComputerValues } from '../../store.ts'
import { raw, type Sql, sql, toTable } from '../connection/sql.ts'

/** What `toComputer` reads. */
export const computerColumns = raw(`
  computers.id, computers.name, ip, mac, room, computers.netmask, boot, computers.remote, serial_number,
  coalesce(hardware_profile, hardware_number) as hardware_id, repo_id, netiface, netdriver, livedir, maintenance,
  seat_row, seat_column`)

export interface ComputerColumns extends Omit<Computer, 'place'> {
  seat_row: number | null
  seat_column: number | null
}

export function toComputer({ seat_row: row, seat_column: column, ...computer }: ComputerColumns): Computer {
  return row === null || column === null ? computer : { ...computer, place: { row, column } }
}

/** The types of a computer's values. */
const valueTypes = {
  id: 'bigint',
  name: 'text',
  ip: 'text',
  mac: 'text',
  room: 'bigint',
  netmask: 'text',
  boot: 'text',
  remote: 'boolean',
  serial_number: 'text',
  hardware_id: 'bigint',
  repo_id: 'bigint',
  netiface: 'text',
  netdriver: 'text',
  livedir: 'text',
  maintenance: 'boolean',
  seat_row: 'smallint',
  seat_column: 'smallint',
}

export type ValueName = keyof typeof valueTypes

/** Values of a computer as its columns have them; those that are undefined are not changed. */
export type ComputerRow = Partial<Omit<Computer, 'place'>> & { seat_row?: number | null; seat_column?: number | null }

/** Copies the values: the caller may change its object while a statement waits. */
export function toRow({ place, ...values }: ComputerValues & { id?: number }): ComputerRow {
  if (place === undefined) return values
  return { ...values, seat_row: place?.row ?? null, seat_column: place?.column ?? null }
}

// `as`: the keys are those of the constant.
const valueNames = Object.keys(valueTypes) as ValueName[]

/** The names of all values but the id. */
export const allNames = valueNames.filter(name => name !== 'id')

/** The names of the values that at least one of the changes has. */
export const changedNames = (changes: readonly ComputerRow[]): ValueName[] =>
  allNames.filter(name => changes.some(change => change[name] !== undefined))

/**
 * A table `rows` in the order of `rows.number`. With hardware also the table `hardware_profiles`, whose row is missing for
 * a number that no profile has.
 */
export function toComputerTable(names: readonly ValueName[], rows: readonly ComputerRow[]): Sql {
  const table = toTable('rows', Object.fromEntries(names.map(name => [name, valueTypes[name]])), rows)
  return names.includes('hardware_id')
    ? sql`${table} left join hardware_profiles on hardware_profiles.id = rows.hardware_id`
    : table
}

/** The columns of the table `computers` that these values are stored in, and their values in the table `rows`. */
function toAssignments(names: readonly ValueName[]): { column: string; value: string }[] {
  return names.flatMap(name => {
    if (name !== 'hardware_id') return { column: name, value: `rows.${name}` }
    const number = 'case when hardware_profiles.id is null then rows.hardware_id else 0 end'
    return [
      { column: 'hardware_profile', value: 'hardware_profiles.id' },
      { column: 'hardware_number', value: number },
    ]
  })
}

/** For `update`: sets these values to those in the table `rows`. */
export const setValues = (names: readonly ValueName[]): Sql =>
  raw(
    toAssignments(names)
      .map(({ column, value }) => `${column} = ${value}`)
      .join(', '),
  )

/** Adds the computers in their order, so that the ids ascend. One that names a profile which is not there keeps its number. */
export function insertComputers(names: readonly ValueName[], rows: readonly ComputerRow[]): Sql {
  const assignments = toAssignments(names)
  const columns = raw(assignments.map(({ column }) => column).join(', '))
  const values = raw(assignments.map(({ value }) => value).join(', '))
  return sql`
    insert into computers (${columns}) select ${values} from ${toComputerTable(names, rows)} order by rows.number`
}
