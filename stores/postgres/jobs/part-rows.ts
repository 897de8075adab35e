// Parts of jobs as parameters of one statement: an array for each column, so that any number of parts fits in.
import type { IndexedPart, PartUpdate } from '../../store.ts'
import { type ColumnTypes, fromColumn, join, raw, type Sql, sql, toTable } from '../connection/sql.ts'
import { parts as table } from '../records/tables.ts'

/** An output of at most this many bytes takes no more space than the columns for a long one. */
const shortBytes = 20

/** The columns that a new value of `output` needs; short and dropped outputs have no number. */
const outputColumns = (output: string) => {
  const isLong = `octet_length(${output}) > ${shortBytes}`
  return {
    number: raw(`case when ${isLong} then nextval('output_numbers') end`),
    bytes: raw(`case when ${isLong} then octet_length(${output}) else 0 end`),
  }
}

/** A part that is stored; `job` is absent when the statement has the id of its job elsewhere. */
export interface NewPart extends IndexedPart {
  job?: number
  /** With several hosts: which one is to send it, and whether at once. */
  host?: string | undefined
  direct?: boolean
}

const columns = Object.keys(table.types)

/** What is stored of a column of `rows` or `changes`, in which '' and 0 stand for none. */
export function toStored(rows: string, name: string): Sql {
  const { none } = table.definitions.find(each => each.name === name)?.column ?? {}
  const value = `${rows}.${name}`
  return fromColumn(none === undefined ? value : `nullif(${value}, ${none === '' ? "''" : none})`, table.types[name])
}

/** The columns of `job_parts` apart from `job_id`, in the order of `partSelection`. */
export const partNames = raw(`part, ${columns.join(', ')}, output_number, output_bytes`)

/** What `select` reads from `partRows` for the columns of `partNames`. */
export const partSelection = (() => {
  const { number, bytes } = outputColumns('rows.output')
  return sql`rows.index, ${join(columns.map(column => toStored('rows', column)))}, ${number}, ${bytes}`
})()

/** The parts as an item of `from`, with the name `rows`. The order of the list is that of the numbers of outputs. */
export const partRows = (parts: readonly NewPart[], types: ColumnTypes<NewPart> = {}): Sql =>
  toTable('rows', { job: 'bigint', index: 'integer', ...table.types, ...types }, parts)

/** The largest index of a part, which is an integer of 32 bits. */
const lastIndex = 2 ** 31 - 1

/** Whether the numbers can be those of a part; others would be refused by the server. */
export const canExist = ({ job, index }: PartUpdate): boolean =>
  Number.isSafeInteger(job) && Number.isInteger(index) && index >= 0 && index <= lastIndex

/** The updates as an item of `from` with the name `changes`; null is a value that stays. */
export const updateRows = <Update extends PartUpdate>(
  updates: readonly Update[],
  types: ColumnTypes<Omit<Update, keyof PartUpdate>> = {},
): Sql => {
  const values = Object.fromEntries(changing.map(name => [name, table.types[name]]))
  return toTable('changes', { job: 'bigint', index: 'integer', ...values, ...types }, updates)
}

const changing = ['state', 'reason', 'sent', 'ended', 'expires', 'output']

/** What `update` sets from a table `changes`. */
export const updatedValues = (() => {
  const { number, bytes } = outputColumns('changes.output')
  const values = changing.map(name => {
    const [before, after] = [raw(`job_parts.${name}`), raw(`changes.${name}`)]
    return sql`${raw(name)} = case when ${after} is null then ${before} else ${toStored('changes', name)} end`
  })
  return sql`
    ${join(values)},
    output_dropped = case when changes.output is null then job_parts.output_dropped end,
    output_number = case when changes.output is null then job_parts.output_number else ${number} end,
    output_bytes = case when changes.output is null then job_parts.output_bytes else ${bytes} end`
})()
