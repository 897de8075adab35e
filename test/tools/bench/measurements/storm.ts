// Measures many agents that connect at once, as after a power cut: time until the inventory of all is on disk.
import { count, type Measurement, medians, type Options, type Row, repeat } from '../measurement.ts'
import type { Agents } from '../processes/agents.ts'
import { type Child, now, startChild } from '../processes/child-process.ts'
import { type MeasuredDaemon, startMeasuredDaemon } from '../processes/measured-daemon.ts'
import { cpuOf } from '../processes/process-usage.ts'

const sizes = [1_000, 4_000, 10_000]
const defaultSize = 4_000
const rounds = { warm: 1, rounds: 3 }
/** The longest time in milliseconds, by number of agents. */
const maxTime: Record<number, number> = { 1000: 600, 4000: 2_500 }

export const storm: Measurement = {
  name: 'storm',
  async run(options) {
    const rows: Row[] = []
    for (const size of sizes.filter(size => size <= (options.agents ?? defaultSize)))
      rows.push(...(await measure(size, options)))
    return rows
  },
}

async function measure(size: number, { profile }: Options): Promise<Row[]> {
  const daemon = await startMeasuredDaemon(size)
  const agents = startChild<Agents>('agents.ts')
  try {
    const results = await repeat(rounds, round => switchOn(daemon, agents, size, round))
    const { stored, cpu, dropped } = medians(results, 'stored', 'cpu', 'dropped')
    await daemon.withProfile(profile, `storm-${size}`, () => switchOn(daemon, agents, size, rounds.rounds + 1))
    const name = `boot storm of ${count(size)}`
    const time = maxTime[size]
    return [
      {
        figure: `${name}: inventory stored`,
        measured: stored,
        unit: 'ms',
        ...(time !== undefined && { targets: [{ of: 'value', max: time }] }),
      },
      { figure: `${name}: agents dropped`, measured: dropped, unit: 'agents', targets: [{ of: 'value', max: 0 }] },
      { figure: `${name}: CPU`, measured: cpu, unit: 'ms' },
    ]
  } finally {
    await agents.stop()
    await daemon.stop()
  }
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
