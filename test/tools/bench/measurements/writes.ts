// Measures acknowledged writes (client/add), compared with a loop of append and fdatasync.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Measurement, medians, type Row, repeat } from '../measurement.ts'
import type { BaselineWriter } from '../processes/baseline-writer.ts'
import type { Callers } from '../processes/callers.ts'
import type { Child } from '../processes/child-process.ts'
import { addRequests } from '../processes/computers.ts'
import type { MeasuredDaemon } from '../processes/measured-daemon.ts'
import { loadOf } from '../processes/process-usage.ts'

const milliseconds = 700
/** More requests than can be served in that time. */
const maxRequests = 8_000
const rounds = { warm: 2, rounds: 5 }
/** The lowest ratio to the baseline, by number of callers. */
const targets = [
  { callers: 1, min: 0.25 },
  { callers: 8, min: 0.75 },
]

export const writes: Measurement = {
  name: 'writes',
  sizes: [1],
  async run(bench, size, { profile }) {
    const daemon = await bench.daemon(size)
    const loader = bench.child<Callers>('callers.ts')
    const disk = bench.child<BaselineWriter>('baseline-writer.ts')
    const file = join(daemon.folder, 'baseline')
    const rows: Row[] = []
    for (const { callers, min } of targets) {
      const results = await repeat(rounds, async () => {
        const { bytes, ...added } = await add(daemon, loader, callers)
        return { ...added, baseline: await disk.ask('append', { file, size: bytes, milliseconds }) }
      })
      const { perSecond, p99, cpu, baseline } = medians(results)
      const name = `client/add, ${callers} ${callers === 1 ? 'caller' : 'callers'}`
      rows.push(
        { figure: `${name}: rate`, measured: perSecond, unit: '/s', baseline, targets: [{ of: 'ratio', min }] },
        { figure: `${name}: p99`, measured: p99, unit: 'ms' },
        { figure: `${name}: CPU`, measured: cpu, unit: 'ms' },
      )
    }
    await daemon.withProfile(profile, 'client-add', () => add(daemon, loader, 8))
    return rows
  },
}

/** `bytes`: what the store wrote per computer. */
async function add(daemon: MeasuredDaemon, loader: Child<Callers>, callers: number) {
  const size = journalSize(daemon.folder)
  const load = { callers, keepAlive: true, milliseconds, once: true, requests: addRequests(maxRequests, true) }
  const { perSecond, p99, cpu, requests } = await loadOf(loader, daemon.pid, { port: daemon.ports.rest, ...load })
  return { perSecond, p99, cpu, bytes: Math.round((journalSize(daemon.folder) - size) / requests) }
}

function journalSize(folder: string): number {
  const data = join(folder, 'data')
  const journals = readdirSync(data).filter(name => name.includes('journal'))
  return journals.reduce((sum, name) => sum + statSync(join(data, name)).size, 0)
}
