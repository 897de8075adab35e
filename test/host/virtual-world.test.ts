// A few runs of the simulated fleet: daemons, computers and callers on a virtual time, with accidents.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import { equal, match, ok } from 'uvu/assert'
import { nodeArguments } from '../tools/runner/bundled-file.ts'
import { applyChange, plantedFaults } from '../tools/virtual-world/planted-faults.ts'
import type { Scenario, Step } from '../tools/virtual-world/scenario.ts'
import { shrinkScenario } from '../tools/virtual-world/shrink-scenario.ts'

export const runs = { seconds: 60 }

const run = promisify(execFile)
const program = ['--no-warnings', ...nodeArguments('test/tools/virtual-world/try-seeds.ts')]
const maxBuffer = 100_000_000

const trySeeds = async (...options: string[]) =>
  (await run(process.execPath, [...program, ...options], { maxBuffer })).stdout

/** Without how long it took. */
const historyOf = (output: string) => output.split('\n').filter(line => !/^seed | s of processor time$/.test(line))

const test = suite('virtual world')

test('the same seed gives the same history, line by line', async () => {
  const [first, second] = [await trySeeds('--from', '3', '--history'), await trySeeds('--from', '3', '--history')]
  ok(first.includes('everything is mended'))
  equal(historyOf(first), historyOf(second))
})

test('each planted fault still has its place in the source', () => {
  for (const fault of Object.values(plantedFaults)) ok(applyChange(fault)[1].includes(fault.by))
})

test('a planted fault is found', async () => {
  const options = ['--from', '2', '--seeds', '5', '--fault', 'cursor too far']
  const output = await trySeeds(...options).catch(({ stdout }: { stdout: string }) => stdout)
  match(output, / {2}op-\d+ on [\d.]+ has not ended: queued/)
  ok(output.endsWith(', 1 failed\n'))
})

test('of the steps of a run that fails, those stay without which it would not', async () => {
  const steps = Array.from({ length: 23 }, (_, at): Step => ({ at, type: 'cut', computer: at }))
  const needed = steps.filter(({ at }) => at === 3 || at === 17)
  const run = async (tried: Scenario) => {
    const isFailing = needed.every(step => tried.steps.includes(step))
    return { violations: isFailing ? ['lost'] : [], history: [], milliseconds: 0 }
  }
  const { scenario, outcome } = await shrinkScenario({ hosts: 1, computers: 23, slots: 1, lasts: 100, steps }, run)
  equal([scenario.steps, outcome.violations], [needed, ['lost']])
})

const [from, count] = [Math.floor(Math.random() * 1e9), 20]

test(`nothing that the daemon promises is broken with the seeds from ${from} to ${from + count - 1}`, async () => {
  const options = ['--from', String(from), '--seeds', String(count)]
  const args = ['--no-warnings', ...nodeArguments('test/tools/virtual-world/main.ts'), ...options]
  const { stdout: output } = await run(process.execPath, args, { maxBuffer }).catch(
    (error: { stdout: string }) => error,
  )
  console.log(output)
  ok(output.endsWith(`${count} passed, 0 failed\n`), output)
})

test.run()
