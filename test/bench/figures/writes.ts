// Computers that are added, each on disk when it is acknowledged, beside a loop of append and fdatasync.
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Figure, medians, type Row, repeat } from '../figure.ts'
import type { Callers } from '../sides/callers.ts'
import { type Child, startChild } from '../sides/child.ts'
import { cpuOf } from '../sides/cpu.ts'
import type { Disk } from '../sides/disk.ts'
import { type Measured, startMeasured } from '../sides/measured.ts'
import { requestText } from '../sides/request.ts'

const milliseconds = 700
/** More than can be written in that time. */
const most = 8_000
const rounds = { warm: 2, rounds: 5 }
/** By the number of callers: the share of the bare rate. */
const shares = [
  { callers: 1, least: 0.25 },
  { callers: 8, least: 0.75 },
]

export const writes: Figure = {
  name: 'writes',
  async run({ profile }) {
    const daemon = await startMeasured(1)
    const sides = { daemon, loader: startChild<Callers>('callers.ts'), disk: startChild<Disk>('disk.ts') }
    try {
      const rows: Row[] = []
      for (const { callers, least } of shares) rows.push(...(await measure(callers, least, sides)))
      await daemon.profiled(profile, 'client-add', () => add(sides, 8))
      return rows
    } finally {
      await Promise.all([sides.loader.stop(), sides.disk.stop()])
      await daemon.stop()
    }
  },
}

interface Sides {
  daemon: Measured
  loader: Child<Callers>
  disk: Child<Disk>
}

async function measure(callers: number, least: number, sides: Sides): Promise<Row[]> {
  const file = join(sides.daemon.folder, 'bare')
  const results = await repeat(rounds, async () => {
    const { size, ...added } = await add(sides, callers)
    return { ...added, bare: await sides.disk.ask('append', { file, size, milliseconds }) }
  })
  const { perSecond, p99, cpu, bare } = medians(results, 'perSecond', 'p99', 'cpu', 'bare')
  const name = `client/add, ${callers} ${callers === 1 ? 'caller' : 'callers'}`
  return [
    { figure: `${name}: rate`, measured: perSecond, unit: '/s', bare, targets: [{ of: 'ratio', least }] },
    { figure: `${name}: p99`, measured: p99, unit: 'ms' },
    { figure: `${name}: CPU`, measured: cpu, unit: 'ms' },
  ]
}

let added = 0

/** `size`: bytes that the store has written for each, several in one record counted as such. */
async function add({ daemon, loader }: Sides, callers: number) {
  const requests = Array.from({ length: most }, () => requestText('POST /client/add', nextComputer(), true))
  const [before, size] = [await cpuOf(daemon.pid), journalSize(daemon.folder)]
  const load = { port: daemon.ports.rest, requests, callers, keepAlive: true, milliseconds, once: true }
  const served = await loader.ask('run', load)
  if (served.failed > 0) throw new Error(`client/add: ${served.failed} of ${served.requests} failed`)
  return {
    ...{ perSecond: served.perSecond, p99: served.p99 },
    cpu: ((await cpuOf(daemon.pid)) - before) / served.requests,
    size: Math.round((journalSize(daemon.folder) - size) / served.requests),
  }
}

/** Its boot mode has no template, so that there are no boot files to write. */
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
