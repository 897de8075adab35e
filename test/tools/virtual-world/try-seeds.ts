// Tries seeds in this process, which has one virtual time: `--from 7 --seeds 10`. `--shrink`
// searches the fewest steps with which a seed still fails, and with the name of a planted `--fault` the first seed that
// finds it is the last one.
import { parseArgs } from 'node:util'
import { importBundled } from '../runner/bundled-file.ts'
import { buildHost } from './build-host.ts'
import { createChance } from './chance.ts'
import { runScenario } from './run-scenario.ts'
import { drawScenario, type Scenario } from './scenario.ts'
import { shrinkScenario } from './shrink-scenario.ts'

const [text, flag] = [{ type: 'string' }, { type: 'boolean' }] as const
const options = { from: text, seeds: text, fault: text, history: flag, shrink: flag } as const
const values = parseArgs({ options }).values
const { from = '1', seeds = '1', fault, history: showsHistory, shrink } = values
/** The real one. */
const now = performance.now.bind(performance)

// So that no host has to wait for it.
await importBundled('test/tools/virtual-world/virtual-store.ts')
const evaluate = await buildHost(fault)
let [failed, tried, simulated] = [0, 0, 0]
const isFound = () => fault !== undefined && failed > 0
for (let seed = Number(from); tried < Number(seeds) && !isFound(); seed += 1) {
  const began = now()
  const scenario = drawScenario(createChance(seed))
  const run = (tried: Scenario) => runScenario(tried, seed, evaluate)
  const { violations, history, milliseconds } = await run(scenario)
  if (showsHistory) console.log(history.join('\n'))
  tried += 1
  simulated += milliseconds
  if (violations.length > 0) failed += 1
  const seconds = ((now() - began) / 1000).toFixed(1)
  console.log(`seed ${seed}: ${Math.round(milliseconds / 1000)} s in ${seconds} s, ${history.length} lines`)
  for (const violation of violations) console.log(`  ${violation}`)
  if (violations.length > 0)
    console.log(`  again: node --import tsx test/tools/virtual-world/main.ts --seed ${seed} --shrink`)
  if (violations.length === 0 || !shrink) continue
  const shrunk = await shrinkScenario(scenario, run)
  console.log(`${shrunk.scenario.steps.length} of ${scenario.steps.length} steps suffice:`)
  for (const step of shrunk.scenario.steps) console.log(`  ${JSON.stringify(step)}`)
  for (const line of [...shrunk.outcome.history, ...shrunk.outcome.violations]) console.log(line)
}
console.log(`${(simulated / 3_600_000).toFixed(1)} hours simulated`)
console.log(`${tried - failed} passed, ${failed} failed`)
process.exit(failed > 0 ? 1 : 0)
