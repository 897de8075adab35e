// Runs each test file in a process of its own and prints how many tests passed and failed.
//
// A file that needs a program which the machine lacks is reported as skipped, which is no failure.
//
// uvu reports success for a file whose hook threw, whose suite is never run or that contains `.only`, and it has no
// timeout for a test that never ends. Here such a file fails.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { missingProgramIn } from './harness/skip-file.ts'
import { bundleTests } from './runner/bundle-tests.ts'
import { nodeArguments } from './runner/bundled-file.ts'
import { secondsOfEndedChildren } from './runner/cpu-time.ts'
import { findRuns, type Run, type Runs } from './runner/runs.ts'

const folder = import.meta.dirname
const fileMilliseconds = 180_000
/** One more than the number of cores: several files mostly wait for a disk, a deadline or a slow caller. */
const workers = availableParallelism() + 1

interface FileResult {
  passed: number
  failed: number
  output: string
  /** The program that the machine lacks: no test of the file ran. */
  missing?: string | undefined
}

/** `cpu`: seconds of processor time, without those of processes that outlive the file's own process. */
type MeasuredResult = FileResult & { cpu: number | undefined }

function runFile({ file, environment }: Run): Promise<MeasuredResult> {
  const child = spawn(process.execPath, nodeArguments(file), { env: { ...process.env, ...environment, NO_COLOR: '1' } })
  let output = ''
  child.stdout.on('data', chunk => (output += chunk))
  child.stderr.on('data', chunk => (output += chunk))
  const timer = setTimeout(() => {
    output += `\nkilled after ${fileMilliseconds / 1000} s\n`
    child.kill('SIGKILL')
  }, fileMilliseconds)
  return new Promise(resolve => {
    let cpu: number | undefined
    child.on('exit', () => {
      cpu = secondsOfEndedChildren()
    })
    child.on('close', code => {
      clearTimeout(timer)
      resolve({ ...summarize(file, output, code), cpu })
    })
  })
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

/** Arguments select the files whose path below test/ contains one of them; `--store postgres` is the store of all. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { store: { type: 'string' } }, allowPositionals: true })
  const runs = await findRuns(folder, positionals, values.store)
  await runAll(runs).finally(() => runs.end())
}

async function runAll({ list, skipped: notStarted }: Runs): Promise<void> {
  // A file that cannot be bundled fails by itself, when it runs from its source.
  await bundleTests([...new Set(list.map(({ file }) => file))]).catch(error =>
    console.log(`not bundled: ${error.message}`),
  )
  const results: FileResult[] = []
  const skipped = [...notStarted]
  const queue = [...list]
  const worker = async () => {
    for (let run = queue.shift(); run; run = queue.shift()) {
      const started = Date.now()
      const result = await runFile(run)
      results.push(result)
      const seconds = ((Date.now() - started) / 1000).toFixed(1)
      const label = result.missing !== undefined ? 'skip' : result.failed === 0 ? 'ok  ' : 'FAIL'
      const cpu = result.cpu === undefined ? '' : `, ${result.cpu.toFixed(1)} s of processor time`
      console.log(`${label} ${run.title} ${result.passed} passed, ${seconds} s${cpu}`)
      if (result.missing !== undefined) skipped.push(`${run.title} skipped: no ${result.missing}`)
      if (result.failed > 0) console.log(result.output)
    }
  }
  await Promise.all(Array.from({ length: workers }, worker))
  const sum = (key: 'passed' | 'failed') => results.reduce((total, result) => total + result[key], 0)
  const failed = sum('failed') + (list.length === 0 ? 1 : 0)
  for (const line of skipped) console.log(line)
  console.log(`${sum('passed')} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

await main()
