// Parts of jobs as rows of the tables, and back.
import type { IndexedPart, Part } from '../../store.ts'
import { groupRows, raw } from '../connection/sql.ts'

/** What `toPart` reads, apart from the output. */
export const partColumns = raw(
  ['part', 'client', 'step', 'state', 'reason', 'queued', 'sent', 'ended', 'expires', 'output_dropped']
    .map(column => `job_parts.${column}`)
    .join(', '),
)

export interface PartRow extends Omit<Part, 'output' | 'output_dropped'> {
  part: number
  output?: string
  output_dropped: boolean
}

/** Without a column `output` it is ''. */
export function toPart({ part: index, output_dropped, output = '', ...row }: PartRow): IndexedPart {
  const { client, step, state, reason, queued, sent, ended, expires } = row
  const part: IndexedPart = { index, client, step, state, reason, queued, sent, ended, expires, output }
  if (output_dropped) part.output_dropped = true
  return part
}

/** In the order of the rows. */
export const groupByJob = <Row extends { job: number }>(rows: readonly Row[]): Map<number, Row[]> =>
  groupRows(rows, row => row.job)

/** Whether a number can be the id of a row; others would be refused by the server. */
export const isId = (id: number): boolean => Number.isSafeInteger(id) && id > 0
