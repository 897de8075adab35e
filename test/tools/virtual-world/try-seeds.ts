// Tries seeds in this process, which has one virtual time: `--from 7 --seeds 10`. `--shrink`
// searches the fewest steps with which a seed still fails, and with the name of a planted `--fault` the first seed that
// finds it is the last one.
import { parseArgs } from 'node:util'
import { importBundled } from '../runner/bundled-file.ts'
import { buildHost } from './build-host.ts'
import { createChance } from './chance.ts'
import { installDisk } from './install-disk.ts'
import { runScenario } from './run-scenario.ts'
import { drawScenario, type Scenario } from './scenario.ts'
import { shrinkScenario } from './shrink-scenario.ts'

const [text, flag] = [{ type: 'string' }, { type: 'boolean' }] as const
const sizes = { hosts: text, computers: text }
const options = { from: text, seeds: text, fault: text, history: flag, shrink: flag, ...sizes } as const
const { values } = parseArgs({ options })
const { from = '1', seeds = '1', fault, history: showsHistory, shrink, hosts, computers } = values
const size = { ...(hosts && { hosts: Number(hosts) }), ...(computers && { computers: Number(computers) }) }
const sizeOptions = Object.entries(size).map(([name, count]) => ` --${name} ${count}`)
/** The real one. */
const now = performance.now.bind(performance)

// So that no host has to wait for it.
await importBundled('test/tools/virtual-world/virtual-store.ts')
installDisk()
const evaluate = await buildHost(fault)
let [failed, tried, simulated] = [0, 0, 0]
const isFound = () => fault !== undefined && failed > 0
for (let seed = Number(from); tried < Number(seeds) && !isFound(); seed += 1) {
  const began = now()
  const scenario = drawScenario(createChance(seed), size)
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
    console.log(
      `  again: node --import tsx test/tools/virtual-world/main.ts --seed ${seed}${sizeOptions.join('')} --shrink`,
    )
  if (violations.length === 0 || !shrink) continue
  const shrunk = await shrinkScenario(scenario, run)
  console.log(`${shrunk.scenario.steps.length} of ${scenario.steps.length} steps suffice:`)
  for (const step of shrunk.scenario.steps) console.log(`  ${JSON.stringify(step)}`)
  for (const line of [...shrunk.outcome.history, ...shrunk.outcome.violations]) console.log(line)
}
const { user, system } = process.cpuUsage()
console.log(`${Math.round(simulated / 1000)} s simulated in ${Math.ceil((user + system) / 1e6)} s of processor time`)
// What a slow reader has not taken yet would be lost at the end.
process.stdout.write(`${tried - failed} passed, ${failed} failed\n`, () => process.exit(failed > 0 ? 1 : 0))
