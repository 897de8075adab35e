// Measures the longest stall of the daemon's event loop, in a fan-out to 4,000 and in a boot storm of 1,000.
import { atMost, type Measurement, medians, type Row, repeat } from '../measurement.ts'
import type { Agents } from '../processes/agents.ts'
import { type Bench, withBench } from '../processes/bench.ts'
import { addressesOf, script } from '../processes/computers.ts'
import { forwardAndWait } from '../processes/filled-daemon.ts'
import type { MeasuredDaemon } from '../processes/measured-daemon.ts'
import { switchOn } from './storm.ts'

const stormSize = 1_000
const rounds = { warm: 2, rounds: 5 }
const max = 25 // ms

export const stalls: Measurement = {
  name: 'stalls',
  sizes: [4_000],
  run: async (bench, size) => [...(await stallsOfFanOut(bench, size)), ...(await withBench(stallsOfStorm))],
}

async function stallsOfFanOut(bench: Bench, size: number): Promise<Row[]> {
  const daemon = await bench.daemon(size)
  await bench.agentsOf(daemon, size)
  const payload = { clients: addressesOf(size), ...script }
  return measure(`fan-out to ${size}`, daemon, () => forwardAndWait(daemon, 'POST /shell/run', payload))
}

async function stallsOfStorm(bench: Bench): Promise<Row[]> {
  const daemon = await bench.daemon(stormSize)
  const agents = bench.child<Agents>('agents.ts')
  return measure(`boot storm of ${stormSize}`, daemon, round => switchOn(daemon, agents, stormSize, round))
}

async function measure(name: string, daemon: MeasuredDaemon, work: (round: number) => Promise<unknown>) {
  const delays = await repeat(rounds, async round => {
    await daemon.inspect('watch')
    await work(round)
    return daemon.inspect('delays')
  })
  const { longest, p99 } = medians(delays)
  return [
    { figure: `${name}: longest stall`, measured: longest, unit: 'ms', targets: atMost(max) },
    { figure: `${name}: event-loop delay, p99`, measured: p99, unit: 'ms' },
  ]
}
