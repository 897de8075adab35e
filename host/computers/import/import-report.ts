// The report of an import: what happens to each row, in at most as many bytes as a response may have.
import type { ImportReport, ImportRow } from '../../contract/services.ts'
import { cutText } from '../../system/cut-text.ts'
import { createPause } from '../../system/time-slices.ts'
import type { Key } from './columns.ts'
import type { ComparedRow } from './compare-rows.ts'
import type { ImportConflict } from './conflict-list.ts'
import { type RecordNames, withNames } from './record-names.ts'
import { tickMilliseconds } from './validate-rows.ts'

/** Bytes of JSON: fewer than a response has by default (option `limits.response`), and how many of them conflicts have. */
const [mostBytes, mostConflictBytes] = [240_000, 120_000]

/** Characters of a reason, and of a value of a row. */
const [mostReasonCharacters, mostValueCharacters] = [500, 100]

export interface ImportOutcome {
  rows: ComparedRow[]
  /** Sorted by line. */
  conflicts: ImportConflict[]
  warnings: ImportConflict[]
}

/** With `names` the report lists the rows: that of an update. */
export async function createReport(outcome: ImportOutcome, names: RecordNames | undefined): Promise<ImportReport> {
  const { rows, warnings } = outcome
  const budget = new Budget(mostBytes)
  const conflicts = limitConflicts(outcome.conflicts)
  budget.take(conflicts)
  const canStore = conflicts.length === 0
  const added = rows.filter(({ before }) => !before).length
  const updated = rows.filter(({ changes }) => changes.length > 0).length
  const report: ImportReport = { added: canStore ? added : 0, exists: rows.length - added - updated, conflicts }
  if (warnings.length > 0) report.warnings = warnings.map(cutReason).filter(each => budget.take(each))
  if (!names) return report
  report.updated = canStore ? updated : 0
  report.rows = await listRows(rows, names, budget)
  const omitted = rows.length - report.rows.length
  if (omitted > 0) report.omitted = omitted
  return report
}

class Budget {
  #bytes: number

  constructor(bytes: number) {
    this.#bytes = bytes
  }

  /** Whether the JSON of the value fits into what is left. */
  take(value: object): boolean {
    const bytes = Buffer.byteLength(JSON.stringify(value)) + 1
    if (bytes > this.#bytes) return false
    this.#bytes -= bytes
    return true
  }
}

const cutReason = ({ line, reason }: ImportConflict) => ({ line, reason: cutText(reason, mostReasonCharacters) })

/** Those that fit, and one for the others. */
function limitConflicts(conflicts: ImportConflict[]): ImportConflict[] {
  const budget = new Budget(mostConflictBytes)
  const texts = conflicts.map(cutReason)
  const end = texts.findIndex(conflict => !budget.take(conflict))
  if (end < 0) return texts
  const reason = `${texts.length - end} more lines with conflicts from here on`
  return [...texts.slice(0, end), { line: texts[end]?.line ?? 0, reason }]
}

/** Those that fit in the order of the text; rows that change nothing are left out first. */
async function listRows(rows: ComparedRow[], names: RecordNames, budget: Budget): Promise<ImportRow[]> {
  const entries: ImportRow[] = []
  const pause = createPause(tickMilliseconds)
  const isUnchanged = ({ before, changes }: ComparedRow) => before !== undefined && changes.length === 0
  for (const row of [...rows.filter(row => !isUnchanged(row)), ...rows.filter(isUnchanged)]) {
    await pause()
    const entry = toEntry(row, names)
    if (!budget.take(entry)) break
    entries.push(entry)
  }
  return entries.sort((a, b) => a.line - b.line)
}

const cutValue = (value: string | number | boolean) => cutText(String(value), mostValueCharacters)

/** The place of a computer that has none is empty, as in the CSV. */
const textOf = (key: Key, value: string | number | boolean) =>
  value === 0 && (key === 'row' || key === 'column') ? '' : cutValue(value)

function toEntry({ line, before, after, changes }: ComparedRow, names: RecordNames): ImportRow {
  const [name, ip] = [cutValue(after.name), after.ip]
  if (!before) return { line, name, ip, action: 'add', room: cutValue(names.nameOf('room', after.room)) }
  if (changes.length === 0) return { line, name, ip, action: 'none' }
  const [from, to] = [withNames(before, names), withNames(after, names)]
  return {
    line,
    name,
    ip,
    action: 'update',
    changes: changes.map(key => ({ key, from: textOf(key, from[key]), to: textOf(key, to[key]) })),
  }
}
