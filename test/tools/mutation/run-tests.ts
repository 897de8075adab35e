// Runs test files in a changed copy of the repository until one fails, and prints its path as JSON on the last line. The
// argument is a `TestJob`.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../harness/source-files.ts'
import { bundleInto } from '../runner/bundle-tests.ts'
import { writeCommandBundles } from '../runner/command-bundles.ts'
import { FileRunner } from '../runner/file-runner.ts'
import { toRun } from '../runner/runs.ts'

export interface TestJob {
  /** Of the bundles of the commands, made by the first job. */
  commands: string
  /** The tests of a batch are bundled together, and run in one process. */
  batches: TimedTest[][]
}

export interface TimedTest {
  file: string
  /** It has failed when it has not ended by then. */
  milliseconds: number
}

export interface TestOutcome {
  failing?: string | undefined
}

/** When a process has run its last test, what stands in the way of its end is a connection or a timer that was left. */
const endMilliseconds = 20_000

async function isFailing(tests: TimedTest[]): Promise<string | undefined> {
  const runner = new FileRunner()
  for (const { file, milliseconds } of tests) {
    const { code, output } = await runner.run(toRun(root, file), milliseconds)
    if (code === 0 && /^\s*Total:/m.test(output)) continue
    await runner.end(endMilliseconds)
    return file
  }
  await runner.end(endMilliseconds)
  return runner.problems.length > 0 ? 'the end of the process of tests' : undefined
}

/** A busy machine may make a test late, so that one that fails runs again, in a process of its own. */
async function findFailing(tests: TimedTest[]): Promise<string | undefined> {
  const bundles = mkdtempSync(join(tmpdir(), 'b-'))
  for (const name of readdirSync(job.commands)) symlinkSync(join(job.commands, name), join(bundles, name))
  await bundleInto(
    bundles,
    tests.map(({ file }) => join(root, file)),
  )
  for (let left = tests; left.length > 0; ) {
    const failing = await isFailing(left)
    if (failing === undefined) return undefined
    const index = left.findIndex(({ file }) => file === failing)
    if (await isFailing(index < 0 ? left : left.slice(index, index + 1))) return failing
    left = index < 0 ? [] : left.slice(index + 1)
  }
  return undefined
}

async function runJob(): Promise<TestOutcome> {
  if (!existsSync(job.commands)) {
    mkdirSync(job.commands)
    await writeCommandBundles(job.commands)
  }
  for (const tests of job.batches) {
    const failing = await findFailing(tests)
    if (failing !== undefined) return { failing }
  }
  return {}
}

// The argument that `ChangedCopy` passes.
const job: TestJob = JSON.parse(process.argv[2] ?? '')
const outcome = await runJob()
process.stdout.write(`\n${JSON.stringify(outcome)}\n`, () => process.exit())
