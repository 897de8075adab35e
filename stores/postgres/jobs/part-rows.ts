// Parts of jobs as parameters of one statement: an array for each column, so that any number of parts fits in.
import type { IndexedPart, PartUpdate } from '../../store.ts'
import { type ColumnTypes, raw, type Sql, sql, toTable } from '../connection/sql.ts'

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

const partTypes = {
  client: 'text',
  step: 'integer',
  state: 'text',
  reason: 'text',
  queued: 'bigint',
  sent: 'bigint',
  ended: 'bigint',
  expires: 'double precision',
  output: 'text',
}

const columns = Object.keys(partTypes)

/** The columns of `job_parts` apart from `job`, in the order of `partSelection`. */
export const partNames = raw(`part, ${columns.join(', ')}, output_dropped, output_number, output_bytes`)

/** What `select` reads from `partRows` for the columns of `partNames`. */
export const partSelection = (() => {
  const { number, bytes } = outputColumns('rows.output')
  const values = raw(columns.map(column => `rows.${column}`).join(', '))
  return sql`rows.index, ${values}, coalesce(rows.output_dropped, false), ${number}, ${bytes}`
})()

/** The parts as an item of `from`, with the name `rows`. The order of the list is that of the numbers of outputs. */
export const partRows = (parts: readonly NewPart[], types: ColumnTypes<NewPart> = {}): Sql =>
  toTable('rows', { job: 'bigint', index: 'integer', ...partTypes, output_dropped: 'boolean', ...types }, parts)

/** The largest index of a part, which is an integer of 32 bits. */
const lastIndex = 2 ** 31 - 1

/** Whether the numbers can be those of a part; others would be refused by the server. */
export const canExist = ({ job, index }: PartUpdate): boolean =>
  Number.isSafeInteger(job) && Number.isInteger(index) && index >= 0 && index <= lastIndex

/** The updates as an item of `from` with the name `changes`; null is a value that stays. */
export const updateRows = <Update extends PartUpdate>(
  updates: readonly Update[],
  types: ColumnTypes<Omit<Update, keyof PartUpdate>> = {},
): Sql => toTable('changes', { ...updateTypes, ...types }, updates)

const updateTypes = {
  job: 'bigint',
  index: 'integer',
  state: 'text',
  reason: 'text',
  sent: 'bigint',
  ended: 'bigint',
  expires: 'double precision',
  output: 'text',
}

/** What `update` sets from a table `changes`. */
export const updatedValues = (() => {
  const { number, bytes } = outputColumns('changes.output')
  return sql`
    state = coalesce(changes.state, job_parts.state),
    reason = coalesce(changes.reason, job_parts.reason),
    sent = coalesce(changes.sent, job_parts.sent),
    ended = coalesce(changes.ended, job_parts.ended),
    expires = coalesce(changes.expires, job_parts.expires),
    output = coalesce(changes.output, job_parts.output),
    output_dropped = job_parts.output_dropped and changes.output is null,
    output_number = case when changes.output is null then job_parts.output_number else ${number} end,
    output_bytes = case when changes.output is null then job_parts.output_bytes else ${bytes} end`
})()
