// Runs the attack programs one after the other, each against a daemon of its own, and prints one line for each.
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { measure } from './attack-host.ts'
import { describe } from './attack-report.ts'
import { attacks } from './attacks.ts'

const usage = `npm run attack -- [options]

  --only NAMES   some of these, separated by commas:
${attacks.map(({ name, summary }) => `                 ${name}: ${summary}`).join('\n')}
  --count N      messages of the programs fuzz-replies and fuzz-requests, without a time limit
  --seed N       the seed of their mutations (1)
  --logs DIR     keeps the logs of the daemons in DIR
  --tree DIR     the source tree whose daemon is attacked (this one)`

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    only: { type: 'string' },
    count: { type: 'string' },
    seed: { type: 'string', default: '1' },
    logs: { type: 'string' },
    tree: { type: 'string', default: resolve(import.meta.dirname, '../../..') },
  },
})
if (values.help) {
  console.log(usage)
  process.exit()
}
const names = values.only?.split(',') ?? attacks.map(({ name }) => name)
const unknown = names.filter(name => !attacks.some(attack => attack.name === name))
if (unknown.length > 0) throw new Error(`--only: expected names of attacks, got ${unknown} (see --help)`)
for (const name of ['count', 'seed'] as const) {
  if (!/^\d{1,9}$/.test(values[name] ?? '1')) throw new Error(`--${name}: expected a whole number, got ${values[name]}`)
}

// Child processes end with this process; their folders are removed on its exit.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

if (values.logs !== undefined) mkdirSync(values.logs, { recursive: true })
const isFuzz = (name: string) => name.startsWith('fuzz-')
const width = Math.max(...names.map(name => name.length))
const began = performance.now()
let failures = 0
let skipped = 0
for (const attack of attacks.filter(({ name }) => names.includes(name))) {
  if (attack.missing !== undefined) {
    skipped += 1
    console.log(`${attack.name.padEnd(width)}  SKIP  no ${attack.missing}`)
    continue
  }
  try {
    const measurement = await measure(attack, {
      tree: resolve(values.tree),
      seed: Number(values.seed),
      count: values.count !== undefined && isFuzz(attack.name) ? Number(values.count) : undefined,
      logs: values.logs,
    })
    if (measurement.problems.length > 0) failures += 1
    console.log(describe(attack.name.padEnd(width), measurement))
  } catch (error) {
    failures += 1
    console.log(`${attack.name.padEnd(width)}  FAIL  ${String(error)}`)
  }
}
const skips = skipped === 0 ? '' : `, ${skipped} skipped`
console.log(`${names.length} attacks, ${failures} failed${skips}, ${((performance.now() - began) / 1000).toFixed(0)} s`)
process.exit(failures === 0 ? 0 : 1)
