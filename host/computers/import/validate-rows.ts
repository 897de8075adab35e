// Validates imported rows: valid ones become computers, the others conflicts with their line numbers.
import { columns, type Draft, type Key } from './columns.ts'

/** A computer of a text; `line` is where it begins. Values that the text does not have are absent. */
export interface ImportedComputer extends Draft {
  line: number
  name: string
  ip: string
  mac: string
}

/** All errors of a line. Where a computer spans several lines, it is the line of the wrong value. */
export interface ImportConflict {
  line: number
  reason: string
}

/** Computers without a conflict in the order of the text; one conflict per line, sorted, for the first 200 lines. */
export interface Imported {
  computers: ImportedComputer[]
  conflicts: ImportConflict[]
}

/** A row before its values are checked; '' counts as absent. */
export interface Row {
  line: number
  values: { key: Key; value: string; line: number }[]
}

/** The required keys, and the names of their values in the text's format. */
export type Labels = Record<'name' | 'ip' | 'mac', string>

/** Validates all rows; `parseConflicts` are those of lines that are not rows. */
export function validateRows(rows: Row[], parseConflicts: ImportConflict[], labels: Labels): Imported {
  const computers: ImportedComputer[] = []
  const conflicts = [...parseConflicts]
  const lineOf = new Map<string, number>()
  for (const row of rows) {
    const draft: Draft = {}
    const errors = [...parseValues(row, draft), ...missingValues(row, labels), ...repeatedAddresses(row, draft, lineOf)]
    const { name, ip, mac } = draft
    if (errors.length === 0 && name && ip && mac) computers.push({ ...draft, line: row.line, name, ip, mac })
    conflicts.push(...errors)
  }
  return { computers, conflicts: byLine(conflicts) }
}

/** Puts the valid values into `draft`. */
function parseValues({ values }: Row, draft: Draft): ImportConflict[] {
  return values.flatMap(({ key, value, line }) => {
    const expected = value === '' ? undefined : columns[key](draft, value)
    if (expected === undefined) return []
    return { line, reason: `${key}: expected ${expected}, got ${JSON.stringify(value.slice(0, 80))}` }
  })
}

function missingValues({ line, values }: Row, labels: Labels): ImportConflict[] {
  const present = new Set<string>(values.flatMap(({ key, value }) => (value === '' ? [] : [key])))
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
    if (before === undefined) lineOf.set(`${key} ${address}`, line)
    const at = values.find(value => value.key === key)?.line ?? line
    return before === undefined
      ? []
      : { line: at, reason: `${key}: expected another one than in line ${before}, got ${address}` }
  })
}

/** The response has a size limit (option `limits.response`): lines with a reported conflict, and characters of each. */
const [mostLines, mostCharacters] = [200, 500]

function byLine(conflicts: ImportConflict[]): ImportConflict[] {
  const lines = new Map<number, Set<string>>()
  for (const { line, reason } of conflicts) {
    const reasons = lines.get(line)
    if (reasons) reasons.add(reason)
    else lines.set(line, new Set([reason]))
  }
  const sorted = [...lines]
    .sort(([one], [other]) => one - other)
    .map(([line, reasons]) => ({ line, reason: [...reasons].join(', and ').slice(0, mostCharacters) }))
  const more = sorted.slice(mostLines)
  const rest = more[0] ? [{ line: more[0].line, reason: `${more.length} more lines with conflicts from here on` }] : []
  return [...sorted.slice(0, mostLines), ...rest]
}
