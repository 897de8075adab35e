// Runs each test file in a process of its own and prints how many tests passed and failed.
//
// A file that needs a program which the machine lacks is reported as skipped, which is no failure.
//
// uvu reports success for a file whose hook threw, whose suite is never run or that contains `.only`, and it has no
// timeout for a test that never ends. Here such a file fails.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join, relative } from 'node:path'
import { missingProgramIn } from './harness/skip-file.ts'
import { bundleTests } from './runner/bundle-tests.ts'
import { nodeArguments } from './runner/bundled-file.ts'
import { secondsOfEndedChildren } from './runner/cpu-time.ts'

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

/** The files that take longest, in this order: they start first, so that no worker is left alone with one of them. */
const longFiles = [
  'attack/attack',
  'http/over-tls',
  'console/record-pages',
  'console/accessibility',
  'host/package',
  'host/program',
  'host/log-output',
  'host/token-rotation',
  'host/kill',
  'stores/power-cut',
  'cli/shell',
  'console/actions',
  'console/session-story',
  'console/commands-story',
  'console/adopt-story',
  'console/restart-story',
  'stores/lowdb',
  'modules/many-files',
  'cli/check-commands',
  'access/users',
  'http/foreign-page',
  'modules/reload-under-load',
  'system/watchdog',
  'access/failed-credentials',
  'http/slow-sender',
  'access/rights-matrix',
  'http/stall',
  'http/tls',
  'commands/exercise',
  'computers/client-export',
].map(name => `${name}.test.ts`)
const rank = (name: string) => (longFiles.includes(name) ? longFiles.indexOf(name) : longFiles.length)

/** `cpu`: seconds of processor time, without those of processes that outlive the file's own process. */
type MeasuredResult = FileResult & { cpu: number | undefined }

/** Arguments select the files whose path below test/ contains one of them. */
const selectors = process.argv.slice(2)
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.test.ts') && (selectors.length === 0 || selectors.some(part => name.includes(part))))
  .sort()
  .sort((a, b) => rank(a) - rank(b))
  .map(name => join(folder, name))

function runFile(file: string): Promise<MeasuredResult> {
  const child = spawn(process.execPath, nodeArguments(file), { env: { ...process.env, NO_COLOR: '1' } })
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

async function main(): Promise<void> {
  // A file that cannot be bundled fails by itself, when it runs from its source.
  await bundleTests(files).catch(error => console.log(`not bundled: ${error.message}`))
  const results: FileResult[] = []
  const skipped: string[] = []
  const queue = [...files]
  const worker = async () => {
    for (let file = queue.shift(); file; file = queue.shift()) {
      const started = Date.now()
      const result = await runFile(file)
      results.push(result)
      const seconds = ((Date.now() - started) / 1000).toFixed(1)
      const label = result.missing !== undefined ? 'skip' : result.failed === 0 ? 'ok  ' : 'FAIL'
      const cpu = result.cpu === undefined ? '' : `, ${result.cpu.toFixed(1)} s of processor time`
      console.log(`${label} ${relative(folder, file)} ${result.passed} passed, ${seconds} s${cpu}`)
      if (result.missing !== undefined) skipped.push(`${relative(folder, file)} skipped: no ${result.missing}`)
      if (result.failed > 0) console.log(result.output)
    }
  }
  await Promise.all(Array.from({ length: workers }, worker))
  const sum = (key: 'passed' | 'failed') => results.reduce((total, result) => total + result[key], 0)
  const failed = sum('failed') + (files.length === 0 ? 1 : 0)
  for (const line of skipped) console.log(line)
  console.log(`${sum('passed')} passed, ${failed} failed`)
  process.exitCode = failed === 0 ? 0 : 1
}

await main()
