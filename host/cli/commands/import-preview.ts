// Formats the report of an import: what happens to each line, the conflicts, and the counts.
import type { ImportAnswer, ImportRow } from '../../contract/answers.ts'
import { foldRanges } from '../terminal/folded-names.ts'
import { paint } from '../terminal/terminal.ts'
import { type Column, cutLine, formatTable, plural } from '../terminal/text-table.ts'

/** One change of a computer. */
interface Change {
  line: number
  computer: string
  change: string
  from: string
  to: string
}

const changeColumns: Column<Change>[] = [
  'line',
  'computer',
  { title: 'change', value: ({ change }) => change, colour: ({ change }) => (change === 'new' ? 'green' : 'yellow') },
  'from',
  'to',
]

function toChanges({ line, name: computer, ip, room, action, changes = [] }: ImportRow): Change[] {
  if (action === 'add') return [{ line, computer, change: 'new', from: '', to: `${ip} in ${room}` }]
  return changes.map(({ key, from, to }) => ({ line, computer, change: key, from, to }))
}

/** Tables of the changes and of the conflicts, each if there are any. */
export function formatTables({ rows = [], omitted = 0, conflicts }: ImportAnswer, width: number | undefined): string[] {
  const changes = rows.flatMap(toChanges)
  const tables: string[] = []
  if (changes.length > 0) tables.push(formatTable(changes, changeColumns, width))
  if (omitted > 0) tables.push(`… and ${plural(omitted, 'more line')}`)
  if (conflicts.length > 0)
    tables.push(formatTable(conflicts, ['line', { title: 'conflict', value: ({ reason }) => reason }], width))
  return tables
}

/** Numbers of lines should not fill the screen. */
const linesCharacters = 60

export function formatCounts(report: ImportAnswer, isPreview: boolean): string {
  const { added, exists, updated, conflicts, rows = [] } = report
  if (conflicts.length > 0) return paint('red', `${plural(conflicts.length, 'conflict')}: nothing is stored`)
  const computers = `${plural(added, 'computer')} ${isPreview ? 'would be added' : 'added'}`
  if (updated === undefined) return `${computers}, ${exists} there already`
  const unchanged = rows.flatMap(({ line, action }) => (action === 'none' ? [String(line)] : []))
  const noun = unchanged.length === 1 ? 'line' : 'lines'
  const where = unchanged.length === 0 ? '' : ` (${noun} ${cutLine(foldRanges(unchanged).join(','), linesCharacters)})`
  return `${computers}, ${updated} changed, ${exists} unchanged${where}`
}
