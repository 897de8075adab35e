// Measures the daemon beside the smallest programs that do the same system calls, and prints one table.
import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Figure, Options, Row } from './figure.ts'
import { fanOut } from './figures/fan-out.ts'
import { memory } from './figures/memory.ts'
import { reads } from './figures/reads.ts'
import { reloads } from './figures/reloads.ts'
import { soak } from './figures/soak.ts'
import { stalls } from './figures/stalls.ts'
import { storm } from './figures/storm.ts'
import { writes } from './figures/writes.ts'
import { json, table } from './table.ts'

const figures: Figure[] = [fanOut, storm, reads, writes, memory, stalls, reloads, soak]

const names = figures.map(({ name }) => name)
const usage = `npm run bench -- [options]

  --agents N      at most so many agents (10000 also runs a boot storm of that size)
  --seconds S     how long the soak lasts (10)
  --only NAMES    of ${names.join(', ')}, with commas
  --json          instead of a table
  --profile DIR   keeps a processor profile of the daemon for each figure`

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    agents: { type: 'string' },
    seconds: { type: 'string', default: '10' },
    only: { type: 'string' },
    json: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
})
if (values.help) {
  console.log(usage)
  process.exit()
}
const wanted = values.only?.split(',') ?? names
const unknown = wanted.filter(name => !names.includes(name))
if (unknown.length > 0) throw new Error(`--only: expected of ${names.join(', ')}, got ${unknown}`)
if (values.profile !== undefined) mkdirSync(values.profile, { recursive: true })

for (const name of ['agents', 'seconds'] as const) {
  const given = values[name] ?? '1'
  if (!/^[1-9]\d{0,5}$/.test(given)) throw new Error(`--${name}: expected a whole number, got ${given}`)
}

const options: Options = {
  ...(values.agents !== undefined && { agents: Number(values.agents) }),
  seconds: Number(values.seconds),
  ...(values.profile !== undefined && { profile: values.profile }),
}
// What was started ends with this process; its folders are removed as it exits.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const rows: Row[] = []
for (const { name, run } of figures.filter(figure => wanted.includes(figure.name))) {
  const began = performance.now()
  process.stderr.write(`${name} … `)
  try {
    rows.push(...(await run(options)))
  } catch (error) {
    // The others are measured all the same.
    console.error(error)
    process.exitCode = 1
  }
  process.stderr.write(`${((performance.now() - began) / 1000).toFixed(0)} s\n`)
}
console.log(values.json ? json(rows) : table(rows))
process.exit()
