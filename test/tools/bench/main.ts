// Measures the daemon and the smallest programs that make the same system calls, and prints one table.
import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Measurement, Options, Row } from './measurement.ts'
import { fanOut } from './measurements/fan-out.ts'
import { idle } from './measurements/idle.ts'
import { memory } from './measurements/memory.ts'
import { reads } from './measurements/reads.ts'
import { reloads } from './measurements/reloads.ts'
import { roundTrip } from './measurements/round-trip.ts'
import { soak } from './measurements/soak.ts'
import { stalls } from './measurements/stalls.ts'
import { storm } from './measurements/storm.ts'
import { writes } from './measurements/writes.ts'
import { json, table } from './table.ts'

const measurements: Measurement[] = [fanOut, roundTrip, storm, reads, writes, memory, stalls, idle, reloads, soak]

const names = measurements.map(({ name }) => name)
const usage = `npm run bench -- [options]

  --agents N      at most N agents (10000 also runs a boot storm of that size)
  --seconds S     duration of the soak test (10)
  --only NAMES    some of ${names.join(', ')}, separated by commas
  --json          prints JSON instead of a table
  --profile DIR   writes CPU profiles of the daemon into DIR`

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
const selected = values.only?.split(',') ?? names
const unknown = selected.filter(name => !names.includes(name))
if (unknown.length > 0) throw new Error(`--only: expected some of ${names.join(', ')}, got ${unknown}`)
if (values.profile !== undefined) mkdirSync(values.profile, { recursive: true })

for (const name of ['agents', 'seconds'] as const) {
  const value = values[name] ?? '1'
  if (!/^[1-9]\d{0,5}$/.test(value)) throw new Error(`--${name}: expected a whole number, got ${value}`)
}

const options: Options = {
  ...(values.agents !== undefined && { agents: Number(values.agents) }),
  seconds: Number(values.seconds),
  ...(values.profile !== undefined && { profile: values.profile }),
}
// Child processes end with this process; their folders are removed on its exit.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const rows: Row[] = []
for (const { name, run } of measurements.filter(({ name }) => selected.includes(name))) {
  const began = performance.now()
  process.stderr.write(`${name} … `)
  try {
    rows.push(...(await run(options)))
  } catch (error) {
    // Go on with the other measurements.
    console.error(error)
    process.exitCode = 1
  }
  process.stderr.write(`${((performance.now() - began) / 1000).toFixed(0)} s\n`)
}
console.log(values.json ? json(rows) : table(rows))
process.exit()
