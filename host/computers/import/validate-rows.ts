// Validates imported rows: valid ones become computers, the others conflicts with their line numbers.
import { createPause } from '../../system/time-slices.ts'
import { columns, type Draft, type Key } from './columns.ts'
import { createConflictList, type ImportConflict } from './conflict-list.ts'

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

/** A row before its values are checked. */
export interface Row {
  line: number
  values: { key: Key; value: string; line: number }[]
}

/** The required keys, and the names of their values in the text's format. */
export type Labels = Record<'name' | 'ip' | 'mac', string>

/** Milliseconds of work after which the event loop runs: other callers wait no longer for an import. */
export const tickMilliseconds = 10

/** Validates rows and collects conflicts. `rows` may do its own work between two of them, and have undefined for none. */
export async function validateRows(
  rows: Iterable<Row | ImportConflict | undefined>,
  labels: Labels,
): Promise<Imported> {
  const computers: ImportedComputer[] = []
  const conflicts = createConflictList()
  const lineOf = new Map<string, number>()
  const pause = createPause(tickMilliseconds)
  for (const row of rows) {
    if (row && 'reason' in row) conflicts.add(row)
    else if (row) {
      const draft: Draft = {}
      const errors = [
        ...parseValues(row, draft),
        ...missingValues(row, labels),
        ...repeatedAddresses(row, draft, lineOf),
      ]
      const { name, ip, mac } = draft
      if (errors.length === 0 && name && ip && mac) computers.push({ ...draft, line: row.line, name, ip, mac })
      for (const error of errors) conflicts.add(error)
    }
    if (conflicts.isFull) break
    await pause()
  }
  return { computers, conflicts: conflicts.toSorted() }
}

/** Puts the valid values into `draft`. */
function parseValues({ values }: Row, draft: Draft): ImportConflict[] {
  return values.flatMap(({ key, value, line }) => {
    const expected = columns[key](draft, value)
    if (expected === undefined) return []
    return { line, reason: `${key}: expected ${expected}, got ${JSON.stringify(value.slice(0, 80))}` }
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
    if (before === undefined) lineOf.set(`${key} ${address}`, line)
    const at = values.find(value => value.key === key)?.line ?? line
    return before === undefined
      ? []
      : { line: at, reason: `${key}: expected another one than in line ${before}, got ${address}` }
  })
}
