// Counts the rows that an import reads, lists what it leaves out or what somebody should look at, and formats that.
import { foldRanges } from '../terminal/folded-names.ts'
import { type Column, formatTable } from '../terminal/text-table.ts'
import { type SourceTable, sourceTableNames } from './source-tables.ts'

export interface Problem {
  table: SourceTable
  /** The row's key, '' when it concerns the whole table. */
  id: string
  /** `row` when the row is left out, else what is left out of it, or is doubtful: a column, or `table`. */
  what: string
  reason: string
}

export interface TableCount {
  table: SourceTable
  read: number
  kept: number
  left_out: number
}

export type RowKey = Pick<Problem, 'table' | 'id'>

export class SiteReport {
  readonly problems: Problem[] = []
  readonly #read = new Map<SourceTable, number>()
  readonly #dropped = new Map<SourceTable, number>()

  /** Tables in the order in which the page of the schema has them; only those that the database has. */
  get counts(): TableCount[] {
    return sourceTableNames.flatMap(table => {
      const read = this.#read.get(table)
      if (read === undefined) return []
      const left_out = this.#dropped.get(table) ?? 0
      return { table, read, kept: read - left_out, left_out }
    })
  }

  addRead(table: SourceTable, count: number): void {
    this.#read.set(table, (this.#read.get(table) ?? 0) + count)
  }

  /** A row, or several rows that one line of the list stands for, such as all programs of a list. */
  dropRow({ table, id }: RowKey, reason: string, count = 1): void {
    this.#dropped.set(table, (this.#dropped.get(table) ?? 0) + count)
    this.problems.push({ table, id, what: 'row', reason })
  }

  /** What concerns one column of a row that is kept: mostly its value is left out. */
  addProblem({ table, id }: RowKey, column: string, reason: string): void {
    this.problems.push({ table, id, what: column, reason })
  }
}

const countColumns: Column<TableCount>[] = ['table', 'read', 'kept', 'left_out as left out']

/** Problems of one table with the same reason. */
interface ProblemGroup extends Omit<Problem, 'id'> {
  ids: string[]
}

/** One line of them. */
type ProblemLine = Record<keyof Problem, string>

const problemColumns: Column<ProblemLine>[] = ['table', 'id', 'what', 'reason']

/** Characters of a line of the column with ids. */
const idWidth = 12
const leastReasonWidth = 20
const widthOfFiles = 120

/**
 * The counts, then the problems, if there are any. Nothing is cut, as the list is the only one that there is: what is
 * too long for its column goes on in the next line.
 */
export function formatReport({ counts, problems }: SiteReport, width = widthOfFiles): string[] {
  const groups = groupEqual(problems)
  if (groups.length === 0) return [formatTable(counts, countColumns), '', 'nothing was left out']
  const heading = 'left out (a row, or the value of a column), or to look at:'
  return [formatTable(counts, countColumns), '', heading, formatTable(wrapGroups(groups, width), problemColumns)]
}

function wrapGroups(groups: readonly ProblemGroup[], width: number): ProblemLine[] {
  const widest = (values: string[]) => Math.max(0, ...values.map(({ length }) => length))
  const others = widest(groups.map(({ table }) => table)) + widest(groups.map(({ what }) => what))
  const reasonWidth = Math.max(leastReasonWidth, width - others - idWidth - 6)
  return groups.flatMap(({ table, ids, what, reason }) => {
    const [idLines, reasonLines] = [wrap(foldRanges(ids).join(', '), idWidth), wrap(reason, reasonWidth)]
    return Array.from({ length: Math.max(idLines.length, reasonLines.length) }, (_, at) => ({
      ...(at === 0 ? { table, what } : { table: '', what: '' }),
      id: idLines[at] ?? '',
      reason: reasonLines[at] ?? '',
    }))
  })
}

/** Lines of at most `width` characters, but for longer words. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

function groupEqual(problems: readonly Problem[]): ProblemGroup[] {
  const groups = new Map<string, ProblemGroup>()
  for (const { table, id, what, reason } of problems) {
    const key = JSON.stringify([table, what, reason])
    const group = groups.get(key)
    if (group) group.ids.push(id)
    else groups.set(key, { table, ids: [id], what, reason })
  }
  return [...groups.values()]
}
