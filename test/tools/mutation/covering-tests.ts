// Which test files execute what is changed, the cheapest and those that are most likely to notice a change first.
import { basename, dirname } from 'node:path'
import { readSource } from '../../harness/source-files.ts'
import type { Change } from './changes.ts'
import { type Coverage, linesIn, partsIn, type TestCoverage } from './coverage.ts'

/** They start a server or a browser: they run for what is theirs, and for what nothing else executes. */
const ofPostgres = /^(stores\/postgres|host\/cluster)\//
const startsPostgres = /\/(postgres|cluster-suite|fleet-processes)\.ts'/
const startsBrowser = /\/(chromium|console-page|foreign-page)\.ts'/

export const needsPostgres = (test: string): boolean => startsPostgres.test(readSource(test))
export const needsBrowser = (test: string): boolean => startsBrowser.test(readSource(test))

/** Returns a function: the test files of a change, none when no test executes what it changes. */
export function createCoveringTests(coverage: Coverage): (change: Change) => string[] {
  const tests = Object.entries(coverage.tests).filter(([, entry]) => entry.passed)
  return change => {
    const { file } = change
    const line = lineWithCode(change, linesIn(coverage.code[file] ?? ''))
    const column = line === change.line ? change.column : Number.POSITIVE_INFINITY
    const executing = tests.filter(
      ([test, entry]) => isExecuted(entry.executed[file] ?? '', line, column) || mayRun(test, file),
    )
    const fewest = Math.min(...executing.map(([, entry]) => executedLines(entry, file)))
    return withoutServers(
      executing.map(([test]) => test),
      file,
    )
      .map(test => ({ test, cost: costOf(test, coverage.tests[test], file, fewest) }))
      .sort((a, b) => a.cost - b.cost)
      .map(({ test }) => test)
  }
}

/** The agent runs as one file without a source map, and is often killed: what it executes is not known. */
const mayRun = (test: string, file: string) =>
  file.startsWith('host/linux-agent/program/') && test.startsWith('test/linux-agent/')

/** The beginning of an expression of several lines may be the only position that a source map has. */
function lineWithCode({ line }: Change, code: number[]): number {
  return code.includes(line) ? line : (code.findLast(each => each < line) ?? line)
}

function isExecuted(text: string, line: number, column: number): boolean {
  if (linesIn(text).includes(line)) return true
  const parts = partsIn(text).get(line) ?? []
  return (parts.findLast(part => part.column <= column) ?? parts[0])?.isExecuted ?? false
}

const executedLines = ({ executed }: TestCoverage, file: string) =>
  linesIn(executed[file] ?? '').length + partsIn(executed[file] ?? '').size

function withoutServers(tests: string[], file: string): string[] {
  const withoutBrowser = tests.filter(test => !needsBrowser(test))
  const some = withoutBrowser.length > 0 ? withoutBrowser : tests
  const withoutPostgres = some.filter(test => !needsPostgres(test))
  return withoutPostgres.length > 0 && !ofPostgres.test(file) ? withoutPostgres : some
}

/**
 * Seconds of processor time, less for tests that are about the file, and for those that execute more of it than what
 * runs when it is loaded.
 */
function costOf(test: string, entry: TestCoverage | undefined, file: string, fewest: number): number {
  if (!entry) return Number.POSITIVE_INFINITY
  const nearness = [1, 2, 4, 8][rankOf(test, file)] ?? 1
  return (entry.seconds + 0.3) / nearness / (executedLines(entry, file) - fewest + 2)
}

/** 3 imports the file or uses its route, 2 is named after it, 1 has its name in its text or is of its folder. */
function rankOf(test: string, file: string): number {
  const name = basename(file, '.ts')
  const text = readSource(test)
  const route = file.startsWith('commands/') && /\broute: '([^']+)'/.exec(readSource(file))?.[1]
  if (text.includes(`/${basename(dirname(file))}/${name}.ts'`) || (route && text.includes(route))) return 3
  if (basename(test).startsWith(name)) return 2
  return text.includes(name) || basename(dirname(test)) === basename(dirname(file)) ? 1 : 0
}
