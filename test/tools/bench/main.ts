// Measures the daemon and the smallest programs that make the same system calls, and prints one table.
import { mkdirSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { acceptCopiedFiles } from '../runner/command-bundles.ts'
import type { Measurement, Row } from './measurement.ts'
import { compare } from './measurements/compare.ts'
import { deaths } from './measurements/deaths.ts'
import { fanOut } from './measurements/fan-out.ts'
import { history } from './measurements/history.ts'
import { hooks } from './measurements/hooks.ts'
import { idle } from './measurements/idle.ts'
import { imageCopies } from './measurements/image-copies.ts'
import { imagingProgress } from './measurements/imaging-progress.ts'
import { koa } from './measurements/koa.ts'
import { memory } from './measurements/memory.ts'
import { openConsoles } from './measurements/open-consoles.ts'
import { postgres } from './measurements/postgres.ts'
import { reads } from './measurements/reads.ts'
import { realAgents } from './measurements/real-agents.ts'
import { reloads } from './measurements/reloads.ts'
import { roundTrip } from './measurements/round-trip.ts'
import { scale } from './measurements/scale.ts'
import { search } from './measurements/search.ts'
import { severalHosts } from './measurements/several-hosts.ts'
import { slowLine } from './measurements/slow-line.ts'
import { soak } from './measurements/soak.ts'
import { stalls } from './measurements/stalls.ts'
import { storm } from './measurements/storm.ts'
import { ticks } from './measurements/ticks.ts'
import { tiles } from './measurements/tiles.ts'
import { windowsAgents } from './measurements/windows-agents.ts'
import { writes } from './measurements/writes.ts'
import { withBench } from './processes/bench.ts'
import { LimitError } from './processes/system-limits.ts'
import { json, table } from './table.ts'

const daemon: Measurement[] = [fanOut, roundTrip, storm, reads, writes, memory, stalls, idle, reloads, soak]
const extras = [
  history,
  hooks,
  tiles,
  openConsoles,
  slowLine,
  imageCopies,
  imagingProgress,
  realAgents,
  windowsAgents,
  koa,
  postgres,
  search,
  ticks,
  severalHosts,
  scale,
  deaths,
  compare,
]
const all = [...daemon, ...extras]
const namesOf = (measurements: Measurement[]) => measurements.map(({ name }) => name).join(', ')

const usage = `npm run bench -- [names] [options]
  names           some of ${namesOf(daemon)}
                  (default: all of these),
                  ${namesOf(extras)}
  --agents N      at most N agents or computers (10000 also runs a boot storm of that size; more without names: scale)
  --seconds S     duration of a measurement that runs for a time
  --edits N       changes of mixed kinds in reloads (default 300)
  --base DIR      the checkout with which compare compares this one
  --filled DIR    the folder of a daemon with all computers of scale, copied to this machine, which is deleted
  --json          prints JSON instead of a table
  --profile DIR   writes CPU profiles of the daemon into DIR`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', default: false },
    agents: { type: 'string' },
    seconds: { type: 'string' },
    edits: { type: 'string' },
    base: { type: 'string' },
    filled: { type: 'string' },
    json: { type: 'boolean', default: false },
    profile: { type: 'string' },
  },
})
if (values.help) {
  console.log(usage)
  process.exit()
}
const unknown = positionals.filter(name => !all.some(each => each.name === name))
if (unknown.length > 0) throw new Error(`expected some of ${namesOf(all)}, got ${unknown}`)
if (values.filled !== undefined) acceptCopiedFiles()
if (values.profile !== undefined) mkdirSync(values.profile, { recursive: true })
const numberOf = (name: 'agents' | 'seconds' | 'edits'): number | undefined => {
  const value = values[name]
  if (value !== undefined && !/^[1-9]\d{0,5}$/.test(value)) {
    throw new Error(`--${name}: expected a whole number, got ${value}`)
  }
  return value === undefined ? undefined : Number(value)
}
const [seconds, edits] = [numberOf('seconds'), numberOf('edits')]
const options = { seconds, edits, base: values.base, filled: values.filled, profile: values.profile }
const agents = numberOf('agents')
/** Most agents of the measurements that run without names; more are measured by `scale`. */
const most = 10_000
const unnamed = agents !== undefined && agents > most ? [scale] : daemon
const selected = positionals.length > 0 ? all.filter(({ name }) => positionals.includes(name)) : unnamed

function sizesOf({ sizes, most = Number.POSITIVE_INFINITY }: Measurement): number[] {
  const possible = sizes.filter(size => size <= (agents ?? most))
  return possible.length > 0 || agents === undefined ? possible : [agents]
}

// Child processes end with this process; their folders are removed on its exit.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const rows: Row[] = []
for (const measurement of selected) {
  const began = performance.now()
  process.stderr.write(`${measurement.name} … `)
  try {
    for (const size of sizesOf(measurement)) {
      rows.push(...(await withBench(bench => measurement.run(bench, size, options))))
    }
  } catch (error) {
    // Go on with the other measurements.
    console.error(error instanceof LimitError ? error.message : error)
    process.exitCode = 1
  }
  process.stderr.write(`${((performance.now() - began) / 1000).toFixed(0)} s\n`)
}
console.log(values.json ? json(rows) : table(rows))
process.exit()
