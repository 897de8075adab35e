// The columns of a table that a key of a record is stored in, and the values there: they follow from the kind of the key.
import type { Column, Columns } from '../../records/record-columns.ts'
import { decodeText, encodeText } from '../text.ts'

/** By the keys of a record. */
export interface FieldOptions {
  /** Where a key is stored, if not in a column of its name; a record in a key: a column for each of its own keys. */
  columns?: Readonly<Record<string, string | Readonly<Record<string, string>> | undefined>>
  /** How a key is read, if its column alone does not say it. */
  select?: Readonly<Record<string, string | undefined>>
  /** The ids of the rows are those of the records plus this. */
  idOffset?: number
}

export interface SqlColumn {
  /** The key of a record in it; '' for the whole value. */
  part: string
  name: string
  type: string
  isNullable: boolean
  column: Column<unknown>
}

/** How a key of the record is stored. */
export interface Field {
  key: string
  /** One, or one for each key of a record in it. */
  columns: readonly SqlColumn[]
  select: string
  /** What is read where there is null; undefined: nothing. */
  none: unknown
  /** What is stored of an absent value. */
  initial: unknown
  encode(value: unknown): unknown
  decode(value: unknown): unknown
}

export function toField(table: string, key: string, column: Column<unknown>, options: FieldOptions): Field {
  const { columns: names = {}, select = {}, idOffset = 0 } = options
  const { store = same, read = same, isOptional, none, fallback } = column
  const name = names[key] ?? nameOf(key, column)
  const field = { key, none: isOptional ? undefined : none, initial: fallback ?? null }
  if (typeof name !== 'string') {
    const parts = Object.entries(name).map(([part, name]) => ({ ...partOf(column, part, name), part }))
    const columns = parts.map(part => ({ ...part, isNullable: part.isNullable || isOptional === true }))
    const all = columns.map(({ name }) => `${table}.${name}`).join(', ')
    return { ...field, columns, select: all, encode: store, decode: read }
  }
  const one = {
    ...field,
    columns: [toColumn(name, column)],
    select: `${select[key] ?? `${table}.${name}`} as "${key}"`,
    ...codecOf(column),
  }
  if (key !== 'id' || idOffset === 0) return one
  return { ...one, select: `${table}.id - ${idOffset} as id`, encode: id => Number(id) + idOffset }
}

const nameOf = (key: string, { references }: Column<unknown>) => (references ? `${references.row}_id` : key)

export function toColumn(name: string, column: Column<unknown>): SqlColumn {
  const { sql: type = 'text', none, fallback, isOptional } = column
  return { part: '', name, type, isNullable: none !== undefined || (isOptional === true && !fallback), column }
}

const partOf = (column: Column<unknown> & { columns?: Columns }, part: string, name: string) =>
  toColumn(name, { sql: 'text', ...column.columns?.[part], ...(column.about && { about: column.about }) })

export const same = (value: unknown) => value

/** Between the values of a record and those of its rows. */
function codecOf(column: Column<unknown> & { columns?: Columns }): Pick<Field, 'encode' | 'decode'> {
  const { sql: type, columns, store = same, read = same, none, absent, milliseconds = 1 } = column
  const isNone = (value: unknown) => value === none || value === absent
  const orNull = (encode: (value: unknown) => unknown) => (value: unknown) => (isNone(value) ? null : encode(value))
  if (type === 'json') {
    return { encode: orNull(value => toJson(store(value))), decode: text => JSON.parse(String(text)) }
  }
  if (type === 'jsonb' && columns) {
    return { encode: orNull(value => toBinaryJson(store(value))), decode: value => read(inOrder(columns, value)) }
  }
  if (milliseconds !== 1) {
    return { encode: orNull(time => Number(time) * milliseconds), decode: time => Number(time) / milliseconds }
  }
  return { encode: orNull(store), decode: same }
}

/** The stored value may be JSON already. */
const toJson = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/** The server reads the escapes of JSON in it: it cannot have those of what it cannot store. */
const toBinaryJson = (value: unknown) =>
  JSON.stringify(value, (_, each) => (typeof each === 'string' ? encodeText(each) : each)).replaceAll(
    '\uffff',
    '\\uffff',
  )

/** The server has another order of the keys. */
function inOrder(columns: Columns, value: unknown): object {
  const values: Record<string, unknown> = {}
  for (const key of Object.keys(columns)) {
    const each: unknown = Reflect.get(Object(value), key)
    if (each !== undefined) values[key] = typeof each === 'string' ? decodeText(each) : each
  }
  return values
}
