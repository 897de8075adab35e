// Measures the time from saving a changed command to its first response, without load and with callers.
import { type Measurement, median, type Row } from '../measurement.ts'
import { measureReloads } from '../reload.ts'

const loads = [
  { name: 'alone', changes: 100, callers: 0, agents: 0 },
  { name: '8 callers, 500 agents', changes: 100, callers: 8, agents: 500 },
]

export const reloads: Measurement = {
  name: 'reloads',
  async run() {
    const rows: Row[] = []
    for (const { name, ...load } of loads) {
      const { latencies, failed, dropped } = await measureReloads(load)
      const sorted = latencies.toSorted((a, b) => a - b)
      const p99 = sorted[Math.floor((sorted.length - 1) * 0.99)] ?? Number.NaN
      const lost = { measured: failed + dropped, unit: '', targets: [{ of: 'value', max: 0 } as const] }
      rows.push(
        { figure: `reload, ${name}: median`, measured: median(latencies), unit: 'ms' },
        { figure: `reload, ${name}: p99`, measured: p99, unit: 'ms' },
        { figure: `reload, ${name}: failed requests, dropped agents`, ...lost },
      )
    }
    return rows
  },
}
