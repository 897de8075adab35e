// Measures what an idle daemon costs with agents for Windows beside one with as many agents of the family.
import { setTimeout as wait } from 'node:timers/promises'
import { count, type Measurement, timesBaseline } from '../measurement.ts'
import { measure, settleSeconds } from './idle.ts'

/** Of ratios that should be 1: wake-ups and processor time are few, and most threads are those of V8. */
const same = { main: 1.1, all: 1.25, percent: 1.2 }

/**
 * At rest neither kind of agents sends anything: what differs is when V8 collects garbage, which takes as long as 20 s of
 * idling. In a minute of one daemon each that made the processor time 0.95 to 1.43 times as much. Therefore two daemons of
 * each kind, so that neither kind started earlier, and five minutes of all four at once.
 */
const onWindows = [true, false, false, true]
const measuredSeconds = 300

export const windowsAgents: Measurement = {
  name: 'windows-agents',
  sizes: [500],
  async run(bench, size) {
    const pids: number[] = []
    for (const kind of onWindows) {
      const daemon = await bench.daemon(size)
      await bench.agentsOf(daemon, size, { onWindows: kind })
      pids.push(daemon.pid)
    }
    await wait(settleSeconds * 1000)
    const usages = await Promise.all(pids.map(pid => measure(pid, measuredSeconds)))
    const name = `idle, ${count(size)} agents for Windows`
    const row = (what: string, key: 'all' | 'main' | 'percent', unit: string) => {
      const meanOf = (kind: boolean) =>
        usages.reduce((sum, usage, index) => sum + (onWindows[index] === kind ? usage[key] / 2 : 0), 0)
      return {
        figure: `${name}: ${what}`,
        measured: meanOf(true),
        baseline: meanOf(false),
        unit,
        targets: timesBaseline(same[key]),
      }
    }
    return [
      row('wake-ups of all threads', 'all', '/s'),
      row('wake-ups of the main thread', 'main', '/s'),
      row('CPU', 'percent', '%'),
    ]
  },
}
