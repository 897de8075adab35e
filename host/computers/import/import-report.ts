// The report of an import: what happens to each row, in at most as many bytes as a response may have.
import type { ImportReport, ImportRow } from '../../contract/services.ts'
import { cutText } from '../../log/shown-text.ts'
import { slices } from '../../system/request-slices.ts'
import { textOf } from './columns.ts'
import type { ComparedRow } from './compare-rows.ts'
import type { RecordNames } from './record-names.ts'
import type { ImportConflict } from './validate-rows.ts'

/** Bytes of JSON: fewer than a response has by default (option `limits.response`), and how many of them conflicts have. */
const [mostBytes, mostConflictBytes] = [240_000, 120_000]

/** Characters of a reason, and of a value of a row. */
const [mostReasonCharacters, mostValueCharacters] = [500, 100]

interface ImportOutcome {
  rows: ComparedRow[]
  conflicts: ImportConflict[]
  warnings: ImportConflict[]
}

/** With `names` the report lists the rows: that of an update. */
export async function createReport(outcome: ImportOutcome, names: RecordNames | undefined): Promise<ImportReport> {
  const { rows, warnings } = outcome
  const fits = createBudget(mostBytes)
  const conflicts = limitConflicts(outcome.conflicts)
  fits(conflicts)
  const canStore = conflicts.length === 0
  const added = rows.filter(({ before }) => !before).length
  const updated = rows.filter(({ changes }) => changes.length > 0).length
  const report: ImportReport = { added: canStore ? added : 0, exists: rows.length - added - updated, conflicts }
  if (warnings.length > 0) report.warnings = warnings.map(cutReason).filter(fits)
  if (!names) return report
  report.updated = canStore ? updated : 0
  report.rows = await listRows(rows, names, fits)
  const omitted = rows.length - report.rows.length
  if (omitted > 0) report.omitted = omitted
  return report
}

/** Whether the JSON of the value fits into what is left. */
type Fits = (value: object) => boolean

function createBudget(bytes: number): Fits {
  let left = bytes
  return value => {
    const size = Buffer.byteLength(JSON.stringify(value)) + 1
    if (size > left) return false
    left -= size
    return true
  }
}

const cutReason = ({ line, reason }: ImportConflict) => ({ line, reason: cutText(reason, mostReasonCharacters) })

/** Those that fit, and one for the others. */
function limitConflicts(conflicts: ImportConflict[]): ImportConflict[] {
  const fits = createBudget(mostConflictBytes)
  const texts = conflicts.map(cutReason)
  const end = texts.findIndex(conflict => !fits(conflict))
  if (end < 0) return texts
  const reason = `${texts.length - end} more lines with conflicts from here on`
  return [...texts.slice(0, end), { line: texts[end]?.line ?? 0, reason }]
}

/** Those that fit in the order of the text; rows that change nothing are left out first. */
async function listRows(rows: ComparedRow[], names: RecordNames, fits: Fits): Promise<ImportRow[]> {
  const entries: ImportRow[] = []
  const isUnchanged = ({ before, changes }: ComparedRow) => before !== undefined && changes.length === 0
  for (const row of [...rows.filter(row => !isUnchanged(row)), ...rows.filter(isUnchanged)]) {
    const pause = slices.pause()
    if (pause) await pause
    const entry = toEntry(row, names)
    if (!fits(entry)) break
    entries.push(entry)
  }
  return entries.sort((a, b) => a.line - b.line)
}

const cutValue = (value: string) => cutText(value, mostValueCharacters)

function toEntry({ line, before, after, changes }: ComparedRow, names: RecordNames): ImportRow {
  const entry = { line, name: cutValue(after.name), ip: after.ip }
  if (!before) return { ...entry, action: 'add', room: cutValue(names.nameOf('room', after.room)) }
  if (changes.length === 0) return { ...entry, action: 'none' }
  const [from, to] = [names.list(before), names.list(after)]
  const cells = changes.map(key => ({ key, from: cutValue(textOf(key, from)), to: cutValue(textOf(key, to)) }))
  return { ...entry, action: 'update', changes: cells }
}
