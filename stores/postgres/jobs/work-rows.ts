// Parts of jobs as rows of the tables, and back.
import { groupBy } from '../../rules/group-by.ts'
import type { IndexedPart } from '../../store.ts'
import { raw } from '../connection/sql.ts'
import { parts } from '../records/tables.ts'

const names = parts.definitions.map(({ name }) => name)

/** What `toPart` reads, apart from the output. */
export const partColumns = raw(
  ['part', ...names.filter(name => name !== 'output')].map(column => `job_parts.${column}`).join(', '),
)

/** A row with the columns of a part, as they are read. */
export interface PartRow extends Pick<IndexedPart, 'client' | 'step' | 'state'> {
  part: number
  sent: number | null
}

/** Without a column `output` it is ''. */
// `as`: the record has the index before.
export const toPart = (row: PartRow) => parts.read(row, { index: row.part }) as IndexedPart

/** In the order of the rows. */
export const groupByJob = <Row extends { job: number }>(rows: readonly Row[]): Map<number, Row[]> =>
  groupBy(rows, row => row.job)

/** Whether a number can be the id of a row; others would be refused by the server. */
export const isId = (id: number): boolean => Number.isSafeInteger(id) && id > 0
