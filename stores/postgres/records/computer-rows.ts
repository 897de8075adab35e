// Computers as rows of their table, and back; several of them as one table in a statement.
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Computer, ComputerValues } from '../../store.ts'
import type { Tables } from './table-types.ts'

/** The columns of a computer that `toComputer` reads. */
export const computerColumns = [
  'computers.id',
  'computers.name',
  'computers.ip',
  'computers.mac',
  'computers.room',
  'computers.netmask',
  'computers.boot',
  'computers.remote',
  'computers.serial_number',
  'computers.hardware_profile',
  'computers.hardware_number',
  'computers.repo_id',
  'computers.netiface',
  'computers.netdriver',
  'computers.livedir',
  'computers.maintenance',
  'computers.seat_row',
  'computers.seat_column',
] as const

export function toComputer(row: Omit<Selectable<Tables['computers']>, 'layout'>): Computer {
  const computer: Computer = {
    id: row.id,
    name: row.name,
    ip: row.ip,
    mac: row.mac,
    room: row.room,
    netmask: row.netmask,
    boot: row.boot,
    remote: row.remote,
    serial_number: row.serial_number,
    hardware_id: row.hardware_profile ?? row.hardware_number,
    repo_id: row.repo_id,
    netiface: row.netiface,
    netdriver: row.netdriver,
    livedir: row.livedir,
    maintenance: row.maintenance,
  }
  if (row.seat_row !== null && row.seat_column !== null) {
    computer.place = { row: row.seat_row, column: row.seat_column }
  }
  return computer
}

/** The types of a computer's values in arrays. */
const valueTypes = {
  id: sql`bigint[]`,
  name: sql`text[]`,
  ip: sql`text[]`,
  mac: sql`text[]`,
  room: sql`bigint[]`,
  netmask: sql`text[]`,
  boot: sql`text[]`,
  remote: sql`boolean[]`,
  serial_number: sql`text[]`,
  hardware_id: sql`bigint[]`,
  repo_id: sql`bigint[]`,
  netiface: sql`text[]`,
  netdriver: sql`text[]`,
  livedir: sql`text[]`,
  maintenance: sql`boolean[]`,
  seat_row: sql`smallint[]`,
  seat_column: sql`smallint[]`,
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
 * A table `rows` in the order of `rows.number`, with one parameter for each column. With hardware also the table
 * `hardware_profiles`, whose row is missing for a number that no profile has.
 */
export function toTable(names: readonly ValueName[], rows: readonly ComputerRow[]): RawBuilder<unknown> {
  const arrays = names.map(name => sql`${rows.map(row => row[name] ?? null)}::${valueTypes[name]}`)
  const columns = names.map(name => sql.ref(name))
  const table = sql`unnest(${sql.join(arrays)}) with ordinality as rows (${sql.join(columns)}, number)`
  if (!names.includes('hardware_id')) return table
  return sql`${table} left join hardware_profiles on hardware_profiles.id = rows.hardware_id`
}

/** The columns of the table `computers` that these values are stored in, and their values in the table `rows`. */
export function toAssignments(
  names: readonly ValueName[],
): { column: RawBuilder<unknown>; value: RawBuilder<unknown> }[] {
  return names.flatMap(name => {
    if (name !== 'hardware_id') return { column: sql.ref(name), value: sql.ref(`rows.${name}`) }
    const number = sql`case when hardware_profiles.id is null then rows.hardware_id else 0 end`
    return [
      { column: sql.ref('hardware_profile'), value: sql.ref('hardware_profiles.id') },
      { column: sql.ref('hardware_number'), value: number },
    ]
  })
}
