// Formats the report of an import for people.
import { type Column, formatTable } from '../terminal/text-table.ts'
import type { Problem, SiteReport, TableCount } from './site-report.ts'

const countColumns: Column<TableCount>[] = [
  { title: 'table', value: ({ table }) => table },
  { title: 'read', value: ({ read }) => read, alignRight: true },
  { title: 'kept', value: ({ kept }) => kept, alignRight: true },
  { title: 'left out', value: ({ left_out }) => left_out, alignRight: true },
]

/** Problems of one table with the same reason. */
interface ProblemGroup extends Omit<Problem, 'id'> {
  ids: string[]
}

const problemColumns: Column<ProblemGroup>[] = [
  { title: 'table', value: ({ table }) => table },
  { title: 'id', value: ({ ids }) => toRanges(ids) },
  { title: 'what', value: ({ what }) => what },
  { title: 'reason', value: ({ reason }) => reason },
]

/** The counts, then the problems, if there are any; never cut, as the list is the only one that there is. */
export function formatReport({ counts, problems }: SiteReport): string[] {
  const groups = groupEqual(problems)
  if (groups.length === 0) return [formatTable(counts, countColumns), '', 'nothing was left out']
  const heading = 'left out (a row, or the value of a column), or to look at:'
  return [formatTable(counts, countColumns), '', heading, formatTable(groups, problemColumns)]
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

/** `3, 5-8, 12`; ids that are not numbers, such as `12/1/2`, one by one. */
function toRanges(ids: readonly string[]): string {
  const ranges: { first: string; last: string }[] = []
  for (const id of ids) {
    const range = ranges.at(-1)
    if (range && /^\d+$/.test(id) && Number(id) === Number(range.last) + 1) range.last = id
    else ranges.push({ first: id, last: id })
  }
  return ranges.map(({ first, last }) => (first === last ? first : `${first}-${last}`)).join(', ')
}
