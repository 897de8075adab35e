// Tries seeds in this process, which has one virtual time: `--from 7 --seeds 10`, at most for `--minutes`.
import { parseArgs } from 'node:util'
import { importBundled } from '../runner/bundled-file.ts'
import { buildHost } from './build-host.ts'
import { createChance } from './chance.ts'
import { runScenario } from './run-scenario.ts'
import { drawScenario } from './scenario.ts'

const text = { type: 'string' } as const
const options = { from: text, seeds: text, minutes: text, history: { type: 'boolean' } } as const
const { from = '1', seeds = '1', minutes = 'Infinity', history: showsHistory } = parseArgs({ options }).values
/** The real one. */
const now = performance.now.bind(performance)

// So that no host has to wait for it.
await importBundled('test/tools/virtual-world/virtual-store.ts')
const evaluate = await buildHost()
const end = now() + Number(minutes) * 60_000
let [failed, tried, simulated] = [0, 0, 0]
for (let seed = Number(from); tried < Number(seeds) && now() < end; seed += 1) {
  const began = now()
  const { violations, history, milliseconds } = await runScenario(drawScenario(createChance(seed)), seed, evaluate)
  if (showsHistory) console.log(history.join('\n'))
  tried += 1
  simulated += milliseconds
  if (violations.length > 0) failed += 1
  const seconds = ((now() - began) / 1000).toFixed(1)
  console.log(`seed ${seed}: ${Math.round(milliseconds / 1000)} s in ${seconds} s, ${history.length} lines`)
  for (const violation of violations) console.log(`  ${violation}`)
}
console.log(`${(simulated / 3_600_000).toFixed(1)} hours simulated`)
console.log(`${tried - failed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)
