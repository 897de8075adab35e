// Runs each test file in a process of its own, and writes which positions of the source files it executes. Runs in a copy
// of the repository: the sources must not change meanwhile. The argument is the file that is written.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { missingProgramIn } from '../../harness/skip-file.ts'
import { readSource, root } from '../../harness/source-files.ts'
import { bundleTests } from '../runner/bundle-tests.ts'
import { FileRunner } from '../runner/file-runner.ts'
import { toRun } from '../runner/runs.ts'
import { addPositions, hashOf, readCoverage, testFiles } from './coverage.ts'
import { needsBrowser, needsPostgres } from './covering-tests.ts'
import { executedIn } from './executed-positions.ts'

const workers = 2

const [, , file = ''] = process.argv
const coverage = readCoverage(file)
const needsServer = (test: string) => needsPostgres(test) || needsBrowser(test) || test.startsWith('test/tools/attack/')
const queue = testFiles
  .filter(test => coverage.tests[test] === undefined)
  .sort((a, b) => Number(needsServer(a)) - Number(needsServer(b)))

async function measure(test: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'v8-'))
  const runner = new FileRunner()
  const run = { ...toRun(root, test), environment: { NODE_V8_COVERAGE: folder } }
  const started = Date.now()
  const { code, output, cpu = 0 } = await runner.run(run)
  const milliseconds = Date.now() - started
  await runner.end()
  const passed = code === 0 && missingProgramIn(output) === undefined
  const entry = { hash: hashOf(readSource(test)), passed, milliseconds, seconds: cpu, executed: {} }
  addPositions(coverage, test, entry, executedIn(folder))
  writeFileSync(file, JSON.stringify(coverage))
  rmSync(folder, { recursive: true, force: true })
  console.log(`${passed ? 'ok  ' : 'FAIL'} ${test} ${cpu.toFixed(1)} s`)
  if (!passed) console.log(output)
}

const work = async () => {
  for (let test = queue.shift(); test !== undefined; test = queue.shift()) await measure(test)
}

if (queue.length > 0) {
  console.log(`coverage: ${queue.length} test files are run`)
  await bundleTests(queue.map(test => join(root, test)))
  await Promise.all(Array.from({ length: workers }, work))
}
