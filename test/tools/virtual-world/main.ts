// Simulates hosts, computers, callers and accidents, on a time of their own, and checks what the daemon promises.
// Without `--from` it begins with a seed of its own; `--seed 7` shows what happened in one, `--shrink` the least of it.
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { bundleTests } from '../runner/bundle-tests.ts'
import { nodeArguments } from '../runner/bundled-file.ts'

const [text, flag] = [{ type: 'string' }, { type: 'boolean' }] as const
const passed = { fault: text, hosts: text, computers: text }
const options = { seed: text, from: text, seeds: text, minutes: text, shrink: flag, ...passed } as const
const { values } = parseArgs({ options })
const { seed, minutes, fault, shrink } = values
const from = Number(seed ?? values.from ?? Math.floor(Math.random() * 1e9))
const seeds = Number(seed === undefined ? (values.seeds ?? (minutes === undefined ? 10 : Number.POSITIVE_INFINITY)) : 1)
const end = performance.now() + Number(minutes ?? Number.POSITIVE_INFINITY) * 60_000

/** Hosts of earlier seeds keep memory of their process: about 40 MB a seed. */
const seedsPerProcess = 8

await bundleTests([])
const shown = shrink ? ['--shrink'] : seed === undefined ? [] : ['--history']
/** Most of what a host makes is gone soon: fewer collections take less time. */
const memory = '--max-semi-space-size=32'
const args = ['--no-warnings', memory, ...nodeArguments('test/tools/virtual-world/try-seeds.ts'), ...shown]
for (const [name, value] of Object.entries(values)) if (name in passed) args.push(`--${name}`, String(value))
const began = performance.now()
/** Seconds, of virtual time and of processor time; seeds. */
const total = { simulated: 0, processor: 0, passed: 0, failed: 0 }

/** Tries some seeds in a process of its own, whose last lines are its sums. */
async function trySeeds(first: number, count: number): Promise<void> {
  const child = spawn(process.execPath, [...args, '--from', String(first), '--seeds', String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface(child.stdout)) {
    const [, simulated, processor] = /^(\d+) s simulated in (\d+) s of processor time$/.exec(line) ?? []
    const [, passed, failed] = /^(\d+) passed, (\d+) failed$/.exec(line) ?? []
    total.simulated += Number(simulated ?? 0)
    total.processor += Number(processor ?? 0)
    total.passed += Number(passed ?? 0)
    total.failed += Number(failed ?? 0)
    if (simulated === undefined && passed === undefined) console.log(line)
  }
}

for (let tried = 0; tried < seeds && performance.now() < end; tried += seedsPerProcess) {
  await trySeeds(from + tried, Math.min(seedsPerProcess, seeds - tried))
  if (total.passed + total.failed < Math.min(seeds, tried + seedsPerProcess) && fault === undefined) process.exit(1)
  if (fault !== undefined && total.failed > 0) break
}
const { simulated, processor } = total
const rates = [(performance.now() - began) / 1000, processor].map(seconds => Math.round(simulated / seconds))
console.log(
  `${(simulated / 3600).toFixed(1)} hours simulated: ${rates.join(' s a second, ')} s a second of processor time`,
)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed > 0 ? 1 : 0)
