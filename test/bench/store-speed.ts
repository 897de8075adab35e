// Measures the embedded store: acknowledged writes per second, the longest event-loop stall, start and memory.
// Usage: node --import tsx test/bench/store-speed.ts [--computers 100,1000,10000] [--seconds 3]
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Low } from 'lowdb'
import { JSONFile } from 'lowdb/node'
import { Folder } from '../../stores/lowdb/folder.ts'
import open from '../../stores/lowdb/index.ts'
import type { Store } from '../../stores/store.ts'
import { address, computer, fill, hardware, random, report, software } from './store-fleet.ts'

const { values } = parseArgs({
  options: {
    computers: { type: 'string', default: '100,1000,10000' },
    seconds: { type: 'string', default: '3' },
    phase: { type: 'string' },
    path: { type: 'string', default: '' },
  },
})
const seconds = Number(values.seconds)
const sizes = values.computers.split(',').map(Number)
const log = { info() {}, warn: (where: string, what: string) => console.error(where, what) }
const forty = Array.from({ length: 40 }, (_, at) => at)
const lists = forty.map(at => software('Windows', at, undefined))
const items = forty.map(at => hardware(at, undefined))
const options = { adapter: 'lowdb', path: values.path }

// Each phase has a process of its own, so that memory and garbage of one do not count for another.
const phases: Record<string, (size: number) => Promise<unknown>> = { build, measure, stock }

if (values.phase) console.log(JSON.stringify(await phases[values.phase]?.(sizes[0] ?? 0)))
else for (const size of sizes) await table(size)

async function table(size: number): Promise<void> {
  const path = await mkdtemp(join(tmpdir(), 'store-speed-'))
  try {
    await run('build', path, size)
    const { start, memory, rates, peak } = await run('measure', path, size)
    const stock = await run('stock', path, size)
    console.log(`${size} computers: start ${start.toFixed(0)} ms, resident ${memory} MB, at most ${peak} MB`)
    for (const { writers, rate, stall, snapshots } of rates) {
      const times = writers === 1 ? `, ${(rate / stock.rate).toFixed(0)} times the stock adapter` : ''
      console.log(
        `  ${writers} writers: ${rate.toFixed(0)}/s, longest stall ${stall} ms, ${snapshots} snapshots${times}`,
      )
    }
    console.log(
      `  stock lowdb, 1 writer: ${stock.rate.toFixed(2)}/s (${(stock.bytes / 2 ** 20).toFixed(1)} MB a write)`,
    )
  } finally {
    await rm(path, { recursive: true })
  }
}

/** A phase in a process of its own; gives what it prints. */
async function run(phase: string, path: string, size: number) {
  const given = ['--phase', phase, '--path', path, '--computers', `${size}`, '--seconds', `${seconds}`]
  const child = spawn(process.execPath, ['--import', 'tsx', fileURLToPath(import.meta.url), ...given], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  for await (const part of child.stdout) text += part
  return JSON.parse(text)
}

async function build(size: number): Promise<object> {
  const store = await open(options, log)
  await fill(store, size)
  await store.close()
  return {}
}

async function measure(size: number): Promise<object> {
  const began = performance.now()
  const store = await open(options, log)
  const start = performance.now() - began
  const memory = megabytes()
  const rates: object[] = []
  let peak = memory
  for (const writers of [1, 8, 64]) {
    rates.push(await rate(store, size, writers))
    peak = Math.max(peak, megabytes())
  }
  await store.close()
  return { start, memory, rates, peak }
}

async function rate(store: Store, size: number, writers: number): Promise<object> {
  const next = random(writers)
  const newest = await newestSnapshot()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  let count = 0
  delay.enable()
  const until = performance.now() + seconds * 1000
  const work = async () => {
    while (performance.now() < until) {
      await write(store, Math.floor(next() * size), next())
      count += 1
    }
  }
  await Promise.all(Array.from({ length: writers }, work))
  delay.disable()
  const stall = Number((delay.max / 1e6).toFixed(1))
  return { writers, rate: count / seconds, stall, snapshots: (await newestSnapshot()) - newest }
}

/** What a lab does: mostly refreshes that change something, at times an inventory or a new computer. */
async function write(store: Store, index: number, what: number): Promise<unknown> {
  const ip = address(index)
  if (what < 0.85) return store.inventory.refresh(ip, report(index, Math.floor(what * 100_000)))
  if (what < 0.9) return store.inventory.setHardware(ip, items[index % 40] ?? [])
  if (what < 0.95) return store.inventory.setSoftware(ip, 1, 2, lists[index % 40] ?? { os: '', programs: [] })
  return store.computers.add([computer(1, index + (1 << 20) + Math.floor(what * 1e9))])
}

/** The same rows in lowdb's own file adapter, which writes everything anew for each change. */
async function stock(): Promise<object> {
  const folder = new Folder(options, log)
  const tables = await folder.read()
  await folder.close()
  const rows = Object.entries(tables.all).map(([name, table]): [string, unknown[]] => [name, [...table.all()]])
  const file = join(options.path, 'stock.json')
  const data = Object.fromEntries(rows)
  const database = new Low(new JSONFile<typeof data>(file), data)
  let count = 0
  const began = performance.now()
  while (count < 3 || performance.now() - began < seconds * 1000) {
    data.partitions?.splice(count, 1, { id: count + 1, rows: report(count, count).rows })
    await database.write()
    count += 1
  }
  return { rate: count / ((performance.now() - began) / 1000), bytes: (await stat(file)).size }
}

async function newestSnapshot(): Promise<number> {
  const names = await readdir(options.path)
  return Math.max(0, ...names.map(name => Number(/^snapshot\.(\d+)$/.exec(name)?.[1] ?? 0)))
}

function megabytes(): number {
  return Math.round(process.memoryUsage.rss() / 2 ** 20)
}
