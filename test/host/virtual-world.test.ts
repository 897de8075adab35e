// A few runs of the simulated fleet: daemons, computers and callers on a virtual time, with accidents.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import { equal, ok } from 'uvu/assert'
import { nodeArguments } from '../tools/runner/bundled-file.ts'

export const runs = { seconds: 40 }

const run = promisify(execFile)
const program = ['--no-warnings', ...nodeArguments('test/tools/virtual-world/try-seeds.ts')]
const maxBuffer = 100_000_000
const env = { ...process.env, UV_THREADPOOL_SIZE: '1' }

const trySeeds = async (...options: string[]) =>
  (await run(process.execPath, [...program, ...options], { env, maxBuffer })).stdout

/** Without how long it took. */
const historyOf = (output: string) => output.split('\n').filter(line => !line.startsWith('seed '))

const test = suite('virtual world')

test('the same seed gives the same history, line by line', async () => {
  const [first, second] = [await trySeeds('--from', '9', '--history'), await trySeeds('--from', '9', '--history')]
  ok(first.includes('everything is mended'))
  equal(historyOf(first), historyOf(second))
})

test('nothing that the daemon promises is broken in three runs with accidents', async () => {
  const output = await trySeeds('--from', '1', '--seeds', '3').catch(({ stdout }: { stdout: string }) => stdout)
  ok(output.endsWith('3 passed, 0 failed\n'), output)
})

test.run()
