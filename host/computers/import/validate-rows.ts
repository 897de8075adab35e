// Validates imported rows: valid ones become computers, the others conflicts with their line numbers.
import { slices } from '../../system/request-slices.ts'
import { columns, type Draft, type Key } from './columns.ts'

/** All errors of a line. Where a computer spans several lines, it is the line of the wrong value. */
export interface ImportConflict {
  line: number
  reason: string
}

/** A computer of a text; `line` is where it begins. Values that the text does not have are absent. */
export interface ImportedComputer extends Draft {
  line: number
  name: string
  ip: string
  mac: string
}

/** Computers without a conflict in the order of the text; one conflict per line, sorted, for the first 200 lines. */
export interface Imported {
  computers: ImportedComputer[]
  conflicts: ImportConflict[]
}

export interface Row {
  line: number
  values: { key: Key; value: string; line: number }[]
}

/** The required keys, and the names of their values in the text's format. */
type Labels = Record<'name' | 'ip' | 'mac', string>

/** Characters of a line: far more than the values of one computer need. */
export const longestLine = 65_536

/** Lines with conflicts after which reading ends, as such a text is no list of computers; and lines that are reported. */
const [mostLines, mostReported] = [10_000, 200]

/** Validates rows and collects conflicts. `rows` may do its own work between two of them, and have undefined for none. */
export async function validateRows(
  rows: Iterable<Row | ImportConflict | undefined>,
  labels: Labels,
): Promise<Imported> {
  const computers: ImportedComputer[] = []
  const reasons = new Map<number, Set<string>>()
  const lineOf = new Map<string, number>()
  for (const row of rows) {
    const errors = row && 'reason' in row ? [row] : []
    if (row && 'values' in row) {
      const draft: Draft = {}
      errors.push(...parseValues(row, draft), ...missingValues(row, labels), ...repeatedAddresses(row, draft, lineOf))
      const { name, ip, mac } = draft
      if (errors.length === 0 && name && ip && mac) computers.push({ ...draft, line: row.line, name, ip, mac })
    }
    for (const { line, reason } of errors) reasons.set(line, (reasons.get(line) ?? new Set()).add(reason))
    if (reasons.size >= mostLines) break
    const pause = slices.pause()
    if (pause) await pause
  }
  return { computers, conflicts: listConflicts(reasons) }
}

/** One conflict for each of the first lines, and one for the others. */
function listConflicts(reasons: ReadonlyMap<number, ReadonlySet<string>>): ImportConflict[] {
  const lines = [...reasons.keys()].sort((one, other) => one - other)
  const conflicts = lines.slice(0, mostReported).map(line => {
    return { line, reason: [...(reasons.get(line) ?? [])].join(', and ') }
  })
  const line = lines[mostReported]
  if (line === undefined) return conflicts
  const end = lines.length >= mostLines ? ', and reading ended' : ''
  return [...conflicts, { line, reason: `${lines.length - mostReported} more lines with conflicts from here on${end}` }]
}

/** Puts the valid values into `draft`. */
function parseValues({ values }: Row, draft: Draft): ImportConflict[] {
  return values.flatMap(({ key, value, line }) => {
    const { expected, read } = columns[key]
    const parsed = read(value)
    if (parsed === undefined) {
      return { line, reason: `${key}: expected ${expected}, got ${JSON.stringify(value.slice(0, 80))}` }
    }
    Object.assign(draft, { [key]: parsed })
    return []
  })
}

function missingValues({ line, values }: Row, labels: Labels): ImportConflict[] {
  const present = new Set<string>(values.map(({ key }) => key))
  return Object.entries(labels).flatMap(([key, label]) =>
    present.has(key) ? [] : { line, reason: `${key}: ${label} is missing` },
  )
}

/** Addresses that an earlier row has, and adds the others to `lineOf`. */
function repeatedAddresses({ line, values }: Row, draft: Draft, lineOf: Map<string, number>): ImportConflict[] {
  return (['ip', 'mac'] as const).flatMap(key => {
    const address = draft[key]?.toLowerCase()
    if (address === undefined) return []
    const before = lineOf.get(`${key} ${address}`)
    if (before === undefined) {
      lineOf.set(`${key} ${address}`, line)
      return []
    }
    const at = values.find(value => value.key === key)?.line ?? line
    return { line: at, reason: `${key}: expected another one than in line ${before}, got ${address}` }
  })
}
