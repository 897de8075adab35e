// Measures acknowledged writes (client/add), compared with a loop of append and fdatasync.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Measurement, medians, type Row, repeat } from '../measurement.ts'
import type { BaselineWriter } from '../processes/baseline-writer.ts'
import type { Callers } from '../processes/callers.ts'
import { type Child, startChild } from '../processes/child-process.ts'
import { type MeasuredDaemon, startMeasuredDaemon } from '../processes/measured-daemon.ts'
import { cpuOf } from '../processes/process-usage.ts'
import { requestText } from '../processes/request-text.ts'

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
  async run({ profile }) {
    const daemon = await startMeasuredDaemon(1)
    const processes = {
      daemon,
      loader: startChild<Callers>('callers.ts'),
      disk: startChild<BaselineWriter>('baseline-writer.ts'),
    }
    try {
      const rows: Row[] = []
      for (const { callers, min } of targets) rows.push(...(await measure(callers, min, processes)))
      await daemon.withProfile(profile, 'client-add', () => add(processes, 8))
      return rows
    } finally {
      await Promise.all([processes.loader.stop(), processes.disk.stop()])
      await daemon.stop()
    }
  },
}

interface Processes {
  daemon: MeasuredDaemon
  loader: Child<Callers>
  disk: Child<BaselineWriter>
}

async function measure(callers: number, min: number, processes: Processes): Promise<Row[]> {
  const file = join(processes.daemon.folder, 'baseline')
  const results = await repeat(rounds, async () => {
    const { size, ...added } = await add(processes, callers)
    return { ...added, baseline: await processes.disk.ask('append', { file, size, milliseconds }) }
  })
  const { perSecond, p99, cpu, baseline } = medians(results, 'perSecond', 'p99', 'cpu', 'baseline')
  const name = `client/add, ${callers} ${callers === 1 ? 'caller' : 'callers'}`
  return [
    {
      figure: `${name}: rate`,
      measured: perSecond,
      unit: '/s',
      baseline,
      targets: [{ of: 'ratio', min }],
    },
    { figure: `${name}: p99`, measured: p99, unit: 'ms' },
    { figure: `${name}: CPU`, measured: cpu, unit: 'ms' },
  ]
}

let added = 0

/** `size` is the number of bytes that the store wrote per computer. */
async function add({ daemon, loader }: Processes, callers: number) {
  const requests = Array.from({ length: maxRequests }, () => requestText('POST /client/add', nextComputer(), true))
  const [before, size] = [await cpuOf(daemon.pid), journalSize(daemon.folder)]
  const load = { port: daemon.ports.rest, requests, callers, keepAlive: true, milliseconds, once: true }
  const result = await loader.ask('run', load)
  if (result.failed > 0) throw new Error(`client/add: ${result.failed} of ${result.requests} failed`)
  return {
    perSecond: result.perSecond,
    p99: result.p99,
    cpu: ((await cpuOf(daemon.pid)) - before) / result.requests,
    size: Math.round((journalSize(daemon.folder) - size) / result.requests),
  }
}

/** The boot mode has no template, so that no boot files are written. */
function nextComputer(): object {
  added += 1
  const ip = `10.${(added >> 16) & 255}.${(added >> 8) & 255}.${added & 255}`
  return { name: `new-${added}`, ip, mac: added.toString(16).padStart(12, '0'), room: 1, boot: 'none' }
}

function journalSize(folder: string): number {
  const data = join(folder, 'data')
  const journals = readdirSync(data).filter(name => name.includes('journal'))
  return journals.reduce((sum, name) => sum + statSync(join(data, name)).size, 0)
}
