// Power cuts and kills at random moments, on a disk in memory: nothing acknowledged is lost, and nothing is there by half.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import { is, match, ok } from 'uvu/assert'
import { roundsOf } from '../harness/rounds.ts'
import { plantedFaults } from '../tools/disk-model/planted-faults.ts'
import { nodeArguments } from '../tools/runner/bundled-file.ts'
import { applyChange } from '../tools/virtual-world/planted-faults.ts'

export const runs = { seconds: 12 }

const run = promisify(execFile)
const program = ['--no-warnings', ...nodeArguments('test/tools/disk-model/main.ts')]

const trySeeds = (...options: string[]) =>
  run(process.execPath, [...program, ...options]).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  )

const test = suite('power cuts')

test('the same seed gives the same steps of the disk', async () => {
  const output = await trySeeds('--seed', '2')
  match(output, /^\d{3,} steps of the disk, 1 passed, 0 failed\n$/)
  is(await trySeeds('--seed', '2'), output)
})

test('each planted fault still has its place in the source', () => {
  for (const fault of Object.values(plantedFaults)) ok(applyChange(fault)[1].includes(fault.by))
})

test('a planted fault is found', async () => {
  const output = await trySeeds('--from', '1', '--seeds', '9', '--fault', 'folder of new outputs not synced')
  match(output, /the store does not show the \d+ or \d+ steps of writer/)
  match(output, / 1 failed\n$/)
})

const [from, count] = [Math.floor(Math.random() * 1e9), roundsOf(8)]

test(`no power cut breaks a promise with the seeds from ${from} to ${from + count - 1}`, async () => {
  const output = await trySeeds('--from', String(from), '--seeds', String(count))
  console.log(output)
  match(output, new RegExp(` ${count} passed, 0 failed\n$`))
})

test.run()
