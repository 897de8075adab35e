// What a measurement is: its runs and the rows of its table, and the statistics that all of them use.
import type { Bench } from './processes/bench.ts'

export interface Options {
  /** Of the measurements that run for a time; each has its own default. */
  seconds?: number | undefined
  /** Of reloads of mixed kinds; default 300. */
  edits?: number | undefined
  /** A folder for CPU profiles of the daemon, taken after the measured rounds. */
  profile?: string | undefined
  /** A checkout with its `node_modules` to be compared with. */
  base?: string | undefined
  /** The folder of a daemon that already has all computers of `scale`. */
  filled?: string | undefined
}

export interface Measurement {
  name: string
  /** Agents, or computers, of each run; by default those above `most` are left out. */
  sizes: number[]
  most?: number
  /** What `bench` has started ends after each run. */
  run(bench: Bench, size: number, options: Options): Promise<Row[]>
}

/** One line of the table. */
export interface Row {
  figure: string
  measured: number
  unit: string
  /** The same value of the smallest program that makes the same system calls. */
  baseline?: number | undefined
  targets?: Target[]
}

/** A bound of the measured value, or of its ratio to the baseline. */
export interface Target {
  of: 'value' | 'ratio'
  max?: number
  min?: number
}

/** Targets; without a bound there is none. */
export const atMost = (max?: number): Target[] => (max === undefined ? [] : [{ of: 'value', max }])
export const atLeast = (min: number): Target[] => [{ of: 'value', min }]
export const timesBaseline = (max?: number): Target[] => (max === undefined ? [] : [{ of: 'ratio', max }])

export const ratioOf = ({ measured, baseline }: Row) => (baseline ? measured / baseline : undefined)

/** Whether all targets are met; undefined without targets. */
export function isReached(row: Row): boolean | undefined {
  if (!row.targets?.length) return undefined
  return row.targets.every(({ of, max = Number.POSITIVE_INFINITY, min = Number.NEGATIVE_INFINITY }) => {
    const value = of === 'ratio' ? ratioOf(row) : row.measured
    return value !== undefined && value <= max && value >= min
  })
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2
}

export function quantile(values: number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN
}

/** Returns the median of each key over all rounds. */
export function medians<Key extends string>(rounds: Record<Key, number>[]): Record<Key, number>
export function medians(rounds: Record<string, number>[]): Record<string, number> {
  const keys = Object.keys(rounds[0] ?? {})
  return Object.fromEntries(keys.map(key => [key, median(rounds.map(round => round[key] ?? Number.NaN))]))
}

interface Rounds {
  warm: number
  rounds: number
}

/** Runs `warm` rounds whose results are dropped, as code is still compiled in them, then `rounds` measured ones. */
export async function repeat<Result>(
  { warm, rounds }: Rounds,
  run: (round: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let round = 0; round < warm + rounds; round += 1) {
    const result = await run(round)
    if (round >= warm) results.push(result)
  }
  return results
}

/** Measures several programs in turns, so that what else the machine does concerns all; returns the medians of each. */
export async function inTurns<Program, Key extends string>(
  programs: readonly Program[],
  rounds: Rounds,
  measure: (program: Program) => Promise<Record<Key, number>>,
): Promise<Record<Key, number>[]> {
  const results = await repeat(rounds, async round => {
    // Which one is first alternates: the memory that the first leaves is collected in the time of the second.
    const order = round % 2 === 0 ? [...programs] : [...programs].reverse()
    const byProgram = new Map<Program, Record<Key, number>>()
    for (const program of order) byProgram.set(program, await measure(program))
    return byProgram
  })
  return programs.map(program => medians(results.flatMap(result => result.get(program) ?? [])))
}

export const count = (value: number) => value.toLocaleString('en-US')
