// Many agents connect at once, as when a building is switched on: until the inventory of all is on disk.
import { count, type Figure, medians, type Options, type Row, repeat } from '../figure.ts'
import type { Agents } from '../sides/agents.ts'
import { type Child, now, startChild } from '../sides/child.ts'
import { cpuOf } from '../sides/cpu.ts'
import { type Measured, startMeasured } from '../sides/measured.ts'

const sizes = [1_000, 4_000, 10_000]
const usual = 4_000
const rounds = { warm: 1, rounds: 3 }
/** Milliseconds that a storm may take, by its size. */
const most: Record<number, number> = { 1000: 600, 4000: 2_500 }

export const storm: Figure = {
  name: 'storm',
  async run(options) {
    const rows: Row[] = []
    for (const size of sizes.filter(size => size <= (options.agents ?? usual)))
      rows.push(...(await measure(size, options)))
    return rows
  },
}

async function measure(size: number, { profile }: Options): Promise<Row[]> {
  const daemon = await startMeasured(size)
  const agents = startChild<Agents>('agents.ts')
  try {
    const results = await repeat(rounds, round => switchOn(daemon, agents, size, round))
    const { stored, cpu, dropped } = medians(results, 'stored', 'cpu', 'dropped')
    await daemon.profiled(profile, `storm-${size}`, () => switchOn(daemon, agents, size, rounds.rounds + 1))
    const name = `boot storm of ${count(size)}`
    const time = most[size]
    return [
      {
        ...{ figure: `${name}: inventory stored`, measured: stored, unit: 'ms' },
        ...(time !== undefined && { targets: [{ of: 'value', most: time }] }),
      },
      { figure: `${name}: agents dropped`, measured: dropped, unit: 'agents', targets: [{ of: 'value', most: 0 }] },
      { figure: `${name}: CPU`, measured: cpu, unit: 'ms' },
    ]
  } finally {
    await agents.stop()
    await daemon.stop()
  }
}

/** In each round the disks are used otherwise, so that all of them are written. */
export async function switchOn(daemon: Measured, agents: Child<Agents>, size: number, round: number) {
  const before = await cpuOf(daemon.pid)
  const began = now()
  await agents.ask('connect', { port: daemon.ports.agents, count: size, atOnce: size, round })
  // A client's last command is done when its answer is on disk.
  const ready = await daemon.ready(size)
  const stored = now() - began
  const dropped = size - ready + (await agents.ask('dropped'))
  const cpu = (await cpuOf(daemon.pid)) - before
  await agents.ask('leave')
  await daemon.ready(0)
  return { stored, cpu, dropped }
}
