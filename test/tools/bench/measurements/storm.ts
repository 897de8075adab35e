// Measures many agents that connect at once, as after a power cut: time until the inventory of all is on disk.
import { atMost, count, type Measurement, medians, repeat } from '../measurement.ts'
import type { Agents } from '../processes/agents.ts'
import { type Child, now } from '../processes/child-process.ts'
import type { MeasuredDaemon } from '../processes/measured-daemon.ts'
import { cpuOf } from '../processes/process-usage.ts'

const rounds = { warm: 1, rounds: 3 }
/** The longest time in milliseconds, by number of agents. */
const maxTime: Record<number, number> = { 1000: 600, 4000: 2_500 }

export const storm: Measurement = {
  name: 'storm',
  sizes: [1_000, 4_000, 10_000],
  most: 4_000,
  async run(bench, size, { profile }) {
    const daemon = await bench.daemon(size)
    const agents = bench.child<Agents>('agents.ts')
    const results = await repeat(rounds, round => switchOn(daemon, agents, size, round))
    await daemon.withProfile(profile, `storm-${size}`, () => switchOn(daemon, agents, size, rounds.rounds + 1))
    const { stored, cpu, dropped } = medians(results)
    const name = `boot storm of ${count(size)}`
    return [
      { figure: `${name}: inventory stored`, measured: stored, unit: 'ms', targets: atMost(maxTime[size]) },
      { figure: `${name}: agents dropped`, measured: dropped, unit: 'agents', targets: atMost(0) },
      { figure: `${name}: CPU`, measured: cpu, unit: 'ms' },
    ]
  },
}

/** Each round reports other disk usage, so that every inventory is written. */
export async function switchOn(daemon: MeasuredDaemon, agents: Child<Agents>, size: number, round: number) {
  const before = await cpuOf(daemon.pid)
  const began = now()
  await agents.ask('connect', { port: daemon.ports.agents, count: size, atOnce: size, round })
  // The result of a client's last command is set when its reply is on disk.
  const refreshed = await daemon.waitForClients(size)
  const stored = now() - began
  const dropped = size - refreshed + (await agents.ask('dropped'))
  const cpu = (await cpuOf(daemon.pid)) - before
  await agents.ask('leave')
  await daemon.waitForClients(0)
  return { stored, cpu, dropped }
}
