// Measures how often the daemon wakes and what it costs while its agents are connected and silent.
import { setTimeout as wait } from 'node:timers/promises'
import { atMost, count, type Measurement } from '../measurement.ts'
import type { BaselineAgents } from '../processes/baseline-agents.ts'
import { cpuOf, wakeUpsOf } from '../processes/process-usage.ts'

/** Until V8, which reduces the memory of a process that does little, has done so: the less it does, the later. */
export const settleSeconds = 150
const measuredSeconds = 60
const targets = { wakeUps: 10, percent: 0.2 }

export const idle: Measurement = {
  name: 'idle',
  sizes: [1_000],
  async run(bench, size) {
    const daemon = await bench.daemon(size)
    await bench.agentsOf(daemon, size)
    const baseline = bench.child<BaselineAgents>('baseline-agents.ts')
    await bench.bareAgents(await baseline.ask('listen'), size)
    await wait(settleSeconds * 1000)
    const [own, bare] = await Promise.all([measure(daemon.pid), measure(baseline.pid)])
    const name = `idle, ${count(size)} silent agents`
    const wakeUps = { unit: '/s', targets: atMost(targets.wakeUps) }
    const cpu = { measured: own.percent, baseline: bare.percent, unit: '%', targets: atMost(targets.percent) }
    return [
      { figure: `${name}: wake-ups of all threads`, measured: own.all, baseline: bare.all, ...wakeUps },
      { figure: `${name}: wake-ups of the main thread`, measured: own.main, baseline: bare.main, ...wakeUps },
      { figure: `${name}: CPU`, ...cpu },
    ]
  },
}

/** Wake-ups a second of the main thread and of all threads, and processor time in percent of one core. */
export async function measure(
  pid: number,
  seconds = measuredSeconds,
): Promise<Record<'main' | 'all' | 'percent', number>> {
  const [wakeUps, cpu, began] = [wakeUpsOf(pid), await cpuOf(pid), performance.now()]
  await wait(seconds * 1000)
  const [after, cpuAfter, milliseconds] = [wakeUpsOf(pid), await cpuOf(pid), performance.now() - began]
  return {
    main: ((after.main - wakeUps.main) * 1000) / milliseconds,
    all: ((after.all - wakeUps.all) * 1000) / milliseconds,
    percent: (100 * (cpuAfter - cpu)) / milliseconds,
  }
}
