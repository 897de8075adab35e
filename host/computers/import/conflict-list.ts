// Collects the conflicts of an import by line.

/** All errors of a line. Where a computer spans several lines, it is the line of the wrong value. */
export interface ImportConflict {
  line: number
  reason: string
}

export interface ConflictList {
  /** A text with so many conflicts is no list of computers: the rest of it need not be read. */
  readonly isFull: boolean
  add(conflict: ImportConflict): void
  /** One conflict per line, sorted, for the first 200 lines, and one for the others. */
  toSorted(): ImportConflict[]
}

/** Lines with conflicts after which reading ends: a bound for memory and for the time of sorting. */
const mostLines = 10_000

/** The response has a size limit (option `limits.response`): lines with a reported conflict, and characters of each. */
const [mostReported, mostCharacters] = [200, 500]

export function createConflictList(): ConflictList {
  const lines = new Map<number, Set<string>>()
  const isFull = () => lines.size >= mostLines
  return {
    get isFull() {
      return isFull()
    },
    add({ line, reason }) {
      const reasons = lines.get(line)
      if (!reasons) lines.set(line, new Set([reason]))
      // Each reason has at least one character.
      else if (reasons.size < mostCharacters) reasons.add(reason)
    },
    toSorted() {
      const sorted = [...lines]
        .sort(([one], [other]) => one - other)
        .map(([line, reasons]) => ({ line, reason: [...reasons].join(', and ').slice(0, mostCharacters) }))
      const more = sorted.slice(mostReported)
      if (!more[0]) return sorted
      const end = isFull() ? ', and reading ended' : ''
      const reason = `${more.length} more lines with conflicts from here on${end}`
      return [...sorted.slice(0, mostReported), { line: more[0].line, reason }]
    },
  }
}
