// Rows of computers out of a text: those that are right, and for the others what is wrong on which line.
import { columns, type Draft, type Key } from './columns.ts'

/** A computer as a text tells of it; `line` is where it begins. Values that the text does not have are absent. */
export interface ImportedComputer extends Draft {
  line: number
  name: string
  ip: string
  mac: string
}

/** All that is wrong with a line; where a computer spans several, with the line that has the wrong value. */
export interface ImportConflict {
  line: number
  reason: string
}

/** Computers without a conflict in the order of the text; conflicts by line, one a line, of the first 200 lines. */
export interface Imported {
  computers: ImportedComputer[]
  conflicts: ImportConflict[]
}

/** A row before its values are checked; '' counts as absent. */
export interface Row {
  line: number
  values: { key: Key; value: string; line: number }[]
}

/** What every computer must have, and how the text's format calls it. */
export type Words = Record<'name' | 'ip' | 'mac', string>

/** Checks all rows, `unread` are conflicts of lines that no row came of. */
export function gather(rows: Row[], unread: ImportConflict[], words: Words): Imported {
  const computers: ImportedComputer[] = []
  const conflicts = [...unread]
  const seen = new Map<string, number>()
  for (const row of rows) {
    const draft: Draft = {}
    const wrong = [...misfits(row, draft), ...absences(row, words), ...repeats(row, draft, seen)]
    const { name, ip, mac } = draft
    if (wrong.length === 0 && name && ip && mac) computers.push({ ...draft, line: row.line, name, ip, mac })
    conflicts.push(...wrong)
  }
  return { computers, conflicts: byLine(conflicts) }
}

function misfits({ values }: Row, draft: Draft): ImportConflict[] {
  return values.flatMap(({ key, value, line }) => {
    const right = value === '' ? undefined : columns[key](draft, value)
    if (right === undefined) return []
    return { line, reason: `${key}: expected ${right}, got ${JSON.stringify(value.slice(0, 80))}` }
  })
}

function absences({ line, values }: Row, words: Words): ImportConflict[] {
  const has = (wanted: string) => values.some(({ key, value }) => key === wanted && value !== '')
  return Object.entries(words).flatMap(([key, word]) =>
    has(key) ? [] : { line, reason: `${key}: ${word} is missing` },
  )
}

/** An address that an earlier row has; a computer in two rows is a mistake in one of them. */
function repeats({ line, values }: Row, draft: Draft, seen: Map<string, number>): ImportConflict[] {
  return (['ip', 'mac'] as const).flatMap(key => {
    const address = draft[key]?.toLowerCase()
    if (address === undefined) return []
    const before = seen.get(`${key} ${address}`)
    if (before === undefined) seen.set(`${key} ${address}`, line)
    const at = values.find(value => value.key === key)?.line ?? line
    return before === undefined ? [] : { line: at, reason: `${key}: repeated, got ${address}; line ${before} has it` }
  })
}

/** Lines whose conflicts are told, and characters of each: an answer has a limit, and nobody reads more. */
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
  const rest = more[0] ? [{ line: more[0].line, reason: `from here on there are ${more.length} more such lines` }] : []
  return [...sorted.slice(0, mostLines), ...rest]
}
