// Which test files execute which positions of the source files, as it is kept in a file.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { readSource, sourceFiles } from '../../harness/source-files.ts'
import type { Positions } from './executed-positions.ts'

export interface TestCoverage {
  /** Of the text of the test file. */
  hash: string
  /** Whether it passed. Tests that fail, or that the machine cannot run, notice nothing. */
  passed: boolean
  milliseconds: number
  /** Processor time. */
  seconds: number
  /**
   * By source file, the lines that were executed: `3-5` whole lines, `7:+2-14` a line whose code at column 2 was executed
   * and that at column 14 was not.
   */
  executed: Record<string, string>
}

export interface Coverage {
  /** Of all files except those of tests. */
  hash: string
  /** By source file, the lines that have code. */
  code: Record<string, string>
  tests: Record<string, TestCoverage>
}

export const hashOf = (text: string): string => createHash('sha1').update(text).digest('hex')

export const testFiles = sourceFiles.filter(file => file.endsWith('.test.ts'))

const programs = /^test\/(mutation|bench|attack)\b/

export const hashOfSources = (): string =>
  hashOf(
    sourceFiles
      .filter(file => !file.endsWith('.test.ts') && !programs.test(file))
      .map(file => `${file}\n${readSource(file)}`)
      .join('\n'),
  )

/** Without what is out of date. */
export function readCoverage(file: string): Coverage {
  const hash = hashOfSources()
  // Its content is what this program has written.
  const stored: Coverage | undefined = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
  if (stored?.hash !== hash) return { hash, code: {}, tests: {} }
  const tests = Object.entries(stored.tests).filter(
    ([test, entry]) => testFiles.includes(test) && hashOf(readSource(test)) === entry.hash,
  )
  return { ...stored, tests: Object.fromEntries(tests) }
}

export function addPositions(coverage: Coverage, test: string, entry: TestCoverage, positions: Positions): void {
  for (const [file, lines] of positions) {
    const known = linesIn(coverage.code[file] ?? '')
    coverage.code[file] = toRanges([...new Set([...known, ...lines.keys()])])
    const [whole, parts]: [number[], string[]] = [[], []]
    for (const [line, columns] of lines) {
      const states = [...columns.values()]
      if (states.every(state => state)) whole.push(line)
      else if (states.some(state => state)) parts.push(`${line}:${toSigns(columns)}`)
    }
    const text = [toRanges(whole), ...parts].filter(part => part !== '').join(' ')
    if (text !== '') entry.executed[file] = text
  }
  coverage.tests[test] = entry
}

const toSigns = (columns: Map<number, boolean>) =>
  [...columns]
    .sort(([a], [b]) => a - b)
    .map(([column, isExecuted]) => `${isExecuted ? '+' : '-'}${column}`)
    .join('')

function toRanges(lines: number[]): string {
  const ranges: { from: number; to: number }[] = []
  for (const line of lines.sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last?.to === line - 1) last.to = line
    else ranges.push({ from: line, to: line })
  }
  return ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(' ')
}

/** The whole lines in a text that `addPositions` has written. */
export function linesIn(text: string): number[] {
  const ranges = text.split(' ').filter(part => part !== '' && !part.includes(':'))
  return ranges.flatMap(range => {
    const [from = 0, to = from] = range.split('-').map(Number)
    return Array.from({ length: to - from + 1 }, (_, index) => from + index)
  })
}

/** By line, of the lines that were executed in part: by column, whether the code there was executed. */
export function partsIn(text: string): Map<number, { column: number; isExecuted: boolean }[]> {
  const lines = [...text.matchAll(/(\d+):(\S+)/g)].map(([, line, signs = '']) => {
    const columns = [...signs.matchAll(/([+-])(\d+)/g)]
    return [Number(line), columns.map(([, sign, column]) => ({ column: Number(column), isExecuted: sign === '+' }))]
  })
  // Pairs, whose types an array literal of two types does not have.
  return new Map(lines as [number, { column: number; isExecuted: boolean }[]][])
}
