// What a figure of the benchmark is: a name and a run that gives rows; with the arithmetic that all of them share.

export interface Options {
  /** The largest fleet that is tried; each figure has its own when it is not given. */
  agents?: number
  /** Seconds of the mixed load. */
  seconds: number
  /** A folder for CPU profiles of the daemon, one per load, taken after it was measured. */
  profile?: string
}

export interface Figure {
  name: string
  run(options: Options): Promise<Row[]>
}

export interface Row {
  figure: string
  measured: number
  unit: string
  /** The same of the smallest program that does the same system calls. */
  bare?: number
  targets?: Target[]
}

/** A bound of the measured value itself, or of its ratio to the bare one. */
export interface Target {
  of: 'value' | 'ratio'
  most?: number
  least?: number
}

export const ratioOf = ({ measured, bare }: Row) => (bare ? measured / bare : undefined)

/** Undefined without targets. */
export function isReached(row: Row): boolean | undefined {
  return row.targets?.every(({ of, most = Number.POSITIVE_INFINITY, least = Number.NEGATIVE_INFINITY }) => {
    const value = of === 'ratio' ? ratioOf(row) : row.measured
    return value !== undefined && value <= most && value >= least
  })
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
}

/** The median of each key over all rounds. */
export function medians<Key extends string>(rounds: Record<Key, number>[], ...keys: Key[]): Record<Key, number>
export function medians(rounds: Record<string, number>[], ...keys: string[]): Record<string, number> {
  return Object.fromEntries(keys.map(key => [key, median(rounds.map(round => round[key] ?? Number.NaN))]))
}

/** Runs some rounds that do not count, as code is still compiled in them, and then those that do. */
export async function repeat<Result>(
  { warm, rounds }: { warm: number; rounds: number },
  run: (round: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let round = 0; round < warm + rounds; round += 1) {
    const result = await run(round)
    if (round >= warm) results.push(result)
  }
  return results
}

export const count = (value: number) => value.toLocaleString('en-US')
