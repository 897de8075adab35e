// Three hosts, a PostgreSQL, agents and callers in network namespaces, whose lines lose packets, go silent or are slow.
//
//   node --import tsx test/tools/faulty-network/main.ts [--seed N | --from N --seeds N] [--phases N]
//
// As root, with postgresql and iproute2. A seed says which lines fail, how, when, and what is asked for; what follows from
// that depends on the machine's time as well.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { root } from '../runner/bundled-file.ts'
import { openNetwork } from './network.ts'
import { runSeed } from './run-seed.ts'

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: { seed: text, from: text, seeds: text, phases: text, inside: { type: 'boolean' } },
})
const first = Number(values.seed ?? values.from ?? Math.floor(Math.random() * 1e9))
const seeds = Number(values.seed === undefined ? (values.seeds ?? 1) : 1)

if (values.inside) {
  openNetwork()
  let failed = 0
  for (let seed = first; seed < first + seeds; seed += 1) {
    const { summary, violations } = await runSeed(seed, Number(values.phases ?? 30))
    console.log(`seed ${seed}: ${summary}`)
    for (const violation of violations) console.log(`  ${violation}`)
    if (violations.length > 0) failed += 1
  }
  console.log(`${seeds - failed} passed, ${failed} failed`)
  process.exit(failed > 0 ? 1 : 0)
} else {
  // All that runs in the namespaces ends with the program that runs first there.
  const namespaces = ['--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
  const [, file = ''] = process.argv
  const given = values.seed === undefined && values.from === undefined ? ['--from', String(first)] : []
  const program = [process.execPath, ...process.execArgv, file, ...process.argv.slice(2), ...given, '--inside']
  process.exitCode = spawnSync('unshare', [...namespaces, ...program], { stdio: 'inherit', cwd: root }).status ?? 1
}
