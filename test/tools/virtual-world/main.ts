// Simulates hosts, computers, callers and accidents, on a time of their own, and checks what the daemon promises.
// Without `--from` it begins with a seed of its own; `--seed 7` shows what happened in one, `--shrink` the least of it.
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { bundleTests } from '../runner/bundle-tests.ts'
import { nodeArguments } from '../runner/bundled-file.ts'

const [text, flag] = [{ type: 'string' }, { type: 'boolean' }] as const
const options = { seed: text, from: text, seeds: text, minutes: text, fault: text, shrink: flag } as const
const { values } = parseArgs({ options })
const { seed, from = String(Math.floor(Math.random() * 1e9)), seeds, minutes, fault, shrink } = values
await bundleTests([])
const program = nodeArguments('test/tools/virtual-world/try-seeds.ts')
const count = ['--seeds', seeds ?? (minutes === undefined ? '10' : 'Infinity')]
const planted = fault === undefined ? [] : ['--fault', fault]
const shown = shrink ? ['--shrink'] : seed === undefined ? [] : ['--history']
const what = seed === undefined ? ['--from', from, ...count] : ['--from', seed]
const limit = minutes === undefined ? [] : ['--minutes', minutes]
const { status } = spawnSync(process.execPath, ['--no-warnings', ...program, ...what, ...shown, ...planted, ...limit], {
  // Files come back in the order in which they were asked for, when one thread reads them.
  env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
  stdio: 'inherit',
})
process.exit(status ?? 1)
