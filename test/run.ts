// Runs the test files, many of them in one process after the other, and prints how many tests passed and failed.
//
// A file that needs a program which the machine lacks is reported as skipped, which is no failure. One that fails beside
// others is run once more, alone, when they have ended: that run decides, and both are shown.
//
// uvu reports success for a file whose hook threw, whose suite is never run or that contains `.only`, and it has no
// timeout for a test that never ends. Here such a file fails.
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { missingProgramIn } from './harness/skip-file.ts'
import { bundleTests } from './tools/runner/bundle-tests.ts'
import { FileRunner } from './tools/runner/file-runner.ts'
import { findRuns, type Run, type Runs } from './tools/runner/runs.ts'

const folder = import.meta.dirname
/** Many files mostly wait for a disk, a deadline or a slow caller: with two cores, five workers keep both busy. */
const workers = availableParallelism() + 3

/** With more failures than these the load of the others is not to blame. */
const mostRepeated = 8

interface FileResult {
  passed: number
  failed: number
  output: string
  /** The program that the machine lacks: no test of the file ran. */
  missing?: string | undefined
}

function summarize(file: string, output: string, code: number | null): FileResult {
  const missing = missingProgramIn(output)
  if (missing !== undefined && code === 0) return { passed: 0, failed: 0, output, missing }
  const number = (name: string) => Number(new RegExp(`^\\s*${name}:\\s+(\\d+)`, 'm').exec(output)?.[1] ?? 0)
  const [total, passed, skipped] = [number('Total'), number('Passed'), number('Skipped')]
  // If a file awaits something after its first suite, uvu runs the suites in two steps, with two summaries.
  const summaries = output.match(/^\s*Total:/gm)?.length ?? 0
  const source = readFileSync(file, 'utf8')
  const notRun = source.split(/\bsuite\(/).length - source.split(/\.run\(\)/).length
  const problems = [
    ...(total === 0 ? ['no test ran'] : []),
    ...(summaries > 1 ? [`${summaries} summaries: await everything before the first suite`] : []),
    ...(skipped > 0 ? [`${skipped} tests were skipped`] : []),
    ...(notRun > 0 ? [`${notRun} suites are never run`] : []),
    ...(code !== 0 && total === passed ? [`exit code ${code}`] : []),
  ]
  return {
    passed,
    failed: total - passed + problems.length,
    output: `${output}${problems.map(problem => `${relative(folder, file)}: ${problem}\n`).join('')}`,
  }
}

/**
 * Arguments select the files whose path below test/ contains one of them; `--store postgres` is the store of all, and with
 * `--hosts 2` or `--hosts 3` agents connect to other hosts of a fleet than the one that is called.
 */
async function main(): Promise<void> {
  const options = { store: { type: 'string' }, hosts: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ options, allowPositionals: true })
  const runs = await findRuns(folder, positionals, values)
  await runAll(runs).finally(() => runs.end())
}

/** Resolves to the function that ends the browser, if the files need one. */
async function startBrowser(list: Run[]): Promise<() => Promise<void>> {
  if (!list.some(({ needsBrowser }) => needsBrowser)) return async () => {}
  const { chromiumProgram, shareChromium } = await import('./harness/chromium.ts')
  return chromiumProgram === undefined ? async () => {} : shareChromium()
}

async function runFile(runner: FileRunner, run: Run): Promise<FileResult> {
  const started = Date.now()
  const { output, code, cpu } = await runner.run(run)
  const result = summarize(run.file, output, code)
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  const label = result.missing !== undefined ? 'skip' : result.failed === 0 ? 'ok  ' : 'FAIL'
  const cpuText = cpu === undefined ? '' : `, ${cpu.toFixed(1)} s of processor time`
  console.log(`${label} ${run.title} ${result.passed} passed, ${seconds} s${cpuText}`)
  if (result.failed > 0) console.log(result.output)
  return result
}

async function runAll({ list, skipped: notStarted }: Runs): Promise<void> {
  // A file that cannot be bundled fails by itself, when it runs from its source.
  await bundleTests([...new Set(list.map(({ file }) => file))]).catch(error =>
    console.log(`not bundled: ${error.message}`),
  )
  const endBrowser = await startBrowser(list)
  const results = new Map<Run | FileRunner, FileResult>()
  const skipped = [...notStarted]
  const runQueue = async (queue: Run[]) => {
    const runner = new FileRunner()
    for (let run = queue.shift(); run; run = queue.shift()) {
      const result = await runFile(runner, run)
      results.set(run, result)
      if (result.missing !== undefined) skipped.push(`${run.title} skipped: no ${result.missing}`)
    }
    await runner.end()
    if (runner.problems.length === 0) return
    for (const problem of runner.problems) console.log(`FAIL ${problem}`)
    results.set(runner, { passed: 0, failed: runner.problems.length, output: '' })
  }
  const runAllQueued = async () => {
    const queue = [...list]
    await Promise.all(Array.from({ length: workers }, () => runQueue(queue)))
    const repeated = list.filter(run => (results.get(run)?.failed ?? 0) > 0)
    if (repeated.length === 0 || repeated.length === list.length || repeated.length > mostRepeated) return
    console.log(`once more, alone, what failed beside others: ${repeated.map(({ title }) => title).join(', ')}`)
    await runQueue(repeated)
  }
  await runAllQueued().finally(endBrowser)
  const sum = (key: 'passed' | 'failed') => [...results.values()].reduce((total, result) => total + result[key], 0)
  const failed = sum('failed') + (list.length === 0 ? 1 : 0)
  for (const line of skipped) console.log(line)
  console.log(`${sum('passed')} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

await main()
