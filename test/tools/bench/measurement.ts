// The types of the benchmark's measurements, and the statistics that all of them use.

export interface Options {
  /** The largest number of agents; by default each measurement has its own. */
  agents?: number
  /** Duration of the soak test in seconds. */
  seconds: number
  /** A folder for CPU profiles of the daemon, taken after the measured rounds. */
  profile?: string
}

export interface Measurement {
  name: string
  run(options: Options): Promise<Row[]>
}

/** One line of the table. */
export interface Row {
  figure: string
  measured: number
  unit: string
  /** The same value of the smallest program that makes the same system calls. */
  baseline?: number
  targets?: Target[]
}

/** A bound of the measured value, or of its ratio to the baseline. */
export interface Target {
  of: 'value' | 'ratio'
  max?: number
  min?: number
}

export const ratioOf = ({ measured, baseline }: Row) => (baseline ? measured / baseline : undefined)

/** Whether all targets are met; undefined without targets. */
export function isReached(row: Row): boolean | undefined {
  return row.targets?.every(({ of, max = Number.POSITIVE_INFINITY, min = Number.NEGATIVE_INFINITY }) => {
    const value = of === 'ratio' ? ratioOf(row) : row.measured
    return value !== undefined && value <= max && value >= min
  })
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
}

/** Returns the median of each key over all rounds. */
export function medians<Key extends string>(rounds: Record<Key, number>[], ...keys: Key[]): Record<Key, number>
export function medians(rounds: Record<string, number>[], ...keys: string[]): Record<string, number> {
  return Object.fromEntries(keys.map(key => [key, median(rounds.map(round => round[key] ?? Number.NaN))]))
}

/** Runs `warm` rounds whose results are dropped, as code is still compiled in them, then `rounds` measured ones. */
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
