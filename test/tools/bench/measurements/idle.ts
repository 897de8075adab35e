// Measures how often the daemon wakes and what it costs while its agents are connected and silent.
import { setTimeout as wait } from 'node:timers/promises'
import { count, type Measurement, type Options, type Row } from '../measurement.ts'
import type { Agents } from '../processes/agents.ts'
import type { BaselineSender } from '../processes/baseline-sender.ts'
import { startChild } from '../processes/child-process.ts'
import { startMeasuredDaemon } from '../processes/measured-daemon.ts'
import { cpuOf, wakeUpsOf } from '../processes/process-usage.ts'

const connected = 1_000
const atOnce = 500
/** Until V8, which reduces the memory of a process that does little, has done so: the less it does, the later. */
const settleSeconds = 150
const measuredSeconds = 60
const targets = { wakeUps: 10, percent: 0.2 }

export const idle: Measurement = {
  name: 'idle',
  async run({ agents = connected }: Options) {
    const size = Math.min(connected, agents)
    const daemon = await startMeasuredDaemon(size)
    const baseline = startChild<BaselineSender>('baseline-sender.ts')
    const silent = [startChild<Agents>('agents.ts'), startChild<Agents>('agents.ts')] as const
    try {
      await silent[0].ask('connect', { port: daemon.ports.agents, count: size, atOnce, round: 0 })
      await daemon.waitForClients(size)
      await silent[1].ask('connect', { port: await baseline.ask('listen'), count: size, atOnce })
      await wait(settleSeconds * 1000)
      const [own, bare] = await Promise.all([measure(daemon.pid), measure(baseline.pid)])
      return rows(`idle, ${count(size)} silent agents`, own, bare)
    } finally {
      await Promise.all([...silent, baseline].map(child => child.stop()))
      await daemon.stop()
    }
  },
}

/** Wake-ups a second of the main thread and of all threads, and processor time in percent of one core. */
type Idleness = Record<'main' | 'all' | 'percent', number>

async function measure(pid: number): Promise<Idleness> {
  const [wakeUps, cpu, began] = [wakeUpsOf(pid), await cpuOf(pid), performance.now()]
  await wait(measuredSeconds * 1000)
  const [after, cpuAfter, milliseconds] = [wakeUpsOf(pid), await cpuOf(pid), performance.now() - began]
  return {
    main: ((after.main - wakeUps.main) * 1000) / milliseconds,
    all: ((after.all - wakeUps.all) * 1000) / milliseconds,
    percent: (100 * (cpuAfter - cpu)) / milliseconds,
  }
}

function rows(name: string, own: Idleness, bare: Idleness): Row[] {
  const wakeUps = { unit: '/s', targets: [{ of: 'value', max: targets.wakeUps } as const] }
  return [
    { figure: `${name}: wake-ups of all threads`, measured: own.all, baseline: bare.all, ...wakeUps },
    { figure: `${name}: wake-ups of the main thread`, measured: own.main, baseline: bare.main, ...wakeUps },
    {
      figure: `${name}: CPU`,
      measured: own.percent,
      baseline: bare.percent,
      unit: '%',
      targets: [{ of: 'value', max: targets.percent }],
    },
  ]
}
