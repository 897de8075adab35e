// Measures what an idle daemon costs with agents for Windows beside one with as many agents of the family.
import { setTimeout as wait } from 'node:timers/promises'
import { count, type Measurement, timesBaseline } from '../measurement.ts'
import { measure, settleSeconds } from './idle.ts'

/** Of ratios that should be 1: wake-ups and processor time are few, and most threads are those of V8. */
const same = { main: 1.1, all: 1.25, percent: 1.2 }

export const windowsAgents: Measurement = {
  name: 'windows-agents',
  sizes: [500],
  async run(bench, size) {
    const start = async (onWindows: boolean) => {
      const daemon = await bench.daemon(size)
      await bench.agentsOf(daemon, size, { onWindows })
      return daemon.pid
    }
    const pids = [await start(true), await start(false)]
    await wait(settleSeconds * 1000)
    const [own, family] = await Promise.all(pids.map(pid => measure(pid)))
    const name = `idle, ${count(size)} agents for Windows`
    const row = (what: string, key: 'all' | 'main' | 'percent', unit: string) => ({
      figure: `${name}: ${what}`,
      measured: own?.[key] ?? Number.NaN,
      baseline: family?.[key],
      unit,
      targets: timesBaseline(same[key]),
    })
    return [
      row('wake-ups of all threads', 'all', '/s'),
      row('wake-ups of the main thread', 'main', '/s'),
      row('CPU', 'percent', '%'),
    ]
  },
}
