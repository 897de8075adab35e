// Cuts the power of a virtual disk while the embedded store, and what replaces files, write to it.
// `--seeds 200 --from 1` tries so many seeds, `--seed 7` one; with the name of a planted `--fault` the first seed that
// finds it is the last one, and `--fault all` does so for each.
import { parseArgs } from 'node:util'
import { buildProgram } from './build-program.ts'
import { plantedFaults } from './planted-faults.ts'
import { replaceFiles } from './replace-files.ts'
import { runSeed } from './run-seed.ts'

const text = { type: 'string' } as const
const { values } = parseArgs({ options: { seed: text, from: text, seeds: text, fault: text } })
const first = Number(values.seed ?? values.from ?? Math.floor(Math.random() * 1e9))
const seeds = values.seed === undefined ? Number(values.seeds ?? 100) : 1

async function trySeeds(fault?: string) {
  if (fault !== undefined && !plantedFaults[fault])
    throw new Error(`expected one of ${Object.keys(plantedFaults).join(', ')}, got ${fault}`)
  const evaluate = await buildProgram(plantedFaults[fault ?? ''])
  const result = { steps: 0, passed: 0, failed: 0 }
  for (let seed = first; seed < first + seeds && (result.failed === 0 || fault === undefined); seed += 1) {
    const run = await runSeed(seed, evaluate)
    const violations = [...run.violations, ...replaceFiles(seed, evaluate)]
    result.steps += run.steps
    if (violations.length === 0) result.passed += 1
    else result.failed += 1
    for (const violation of violations) console.log(`seed ${seed}: ${violation}`)
    if (violations.length > 0) console.log(`  again: node --import tsx test/tools/disk-model/main.ts --seed ${seed}`)
  }
  return result
}

const faults = values.fault === 'all' ? Object.keys(plantedFaults) : [values.fault]
for (const fault of faults) {
  const { steps, passed, failed } = await trySeeds(fault)
  console.log(
    `${fault === undefined ? '' : `${fault}: `}${steps} steps of the disk, ${passed} passed, ${failed} failed`,
  )
  if (failed > 0) process.exitCode = 1
}
