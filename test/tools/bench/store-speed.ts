// Measures the embedded store: acknowledged writes per second, longest event-loop stall, start time and memory.
// Usage: node --import tsx test/tools/bench/store-speed.ts [--store postgres] [--computers 100,1000,10000] [--seconds 3]
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Low } from 'lowdb'
import { JSONFile } from 'lowdb/node'
import { Folder } from '../../../stores/lowdb/adapter.ts'
import open from '../../../stores/lowdb/index.ts'
import type { Store } from '../../../stores/store.ts'
import { measurePostgres } from './postgres-speed.ts'
import { megabytes, watchStalls } from './stall-watch.ts'
import { fill, random, report, write } from './store-fleet.ts'

const { values } = parseArgs({
  options: {
    store: { type: 'string', default: 'lowdb' },
    computers: { type: 'string', default: '100,1000,10000' },
    seconds: { type: 'string', default: '3' },
    phase: { type: 'string' },
    path: { type: 'string', default: '' },
  },
})
const seconds = Number(values.seconds)
const sizes = values.computers.split(',').map(Number)
const log = { info() {}, warn: (where: string, what: string) => console.error(where, what) }
const options = { adapter: 'lowdb', path: values.path }

// Each phase runs in a process of its own, so that memory and garbage of one do not affect another.
const phases: Record<string, (size: number) => Promise<unknown>> = { build, measure, compare }

if (values.phase) console.log(JSON.stringify(await phases[values.phase]?.(sizes[0] ?? 0)))
else if (values.store === 'postgres') await measurePostgres(sizes, seconds)
else for (const size of sizes) await table(size)

async function table(size: number): Promise<void> {
  const path = await mkdtemp(join(tmpdir(), 'store-speed-'))
  try {
    await run('build', path, size)
    const { start, memory, rates, peak } = await run('measure', path, size)
    const { own, stock, bytes } = await run('compare', path, size)
    console.log(`${size} computers: start ${start.toFixed(0)} ms, resident ${memory} MB, at most ${peak} MB`)
    for (const { writers, rate, stall, cpu, snapshots } of rates) {
      const who = writers === 1 ? '1 writer' : `${writers} writers`
      console.log(
        `  ${who}: ${rate.toFixed(0)}/s, longest stall ${stall} ms (own CPU ${cpu} ms), ${snapshots} snapshots`,
      )
    }
    const times = `${(own / stock).toFixed(0)} times the stock adapter`
    console.log(
      `  1 writer, alternating: ${own.toFixed(0)}/s, ${times} with ${stock.toFixed(2)}/s of ${megabytes(bytes)} MB`,
    )
  } finally {
    await rm(path, { recursive: true })
  }
}

/** Runs a phase in a process of its own and returns the JSON that it prints. */
async function run(phase: string, path: string, size: number) {
  const args = ['--phase', phase, '--path', path, '--computers', `${size}`, '--seconds', `${seconds}`]
  const child = spawn(process.execPath, ['--import', 'tsx', fileURLToPath(import.meta.url), ...args], {
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
  const stall = watchStalls()
  let count = 0
  const until = performance.now() + seconds * 1000
  const work = async () => {
    while (performance.now() < until) {
      await write(store, Math.floor(next() * size), next())
      count += 1
    }
  }
  await Promise.all(Array.from({ length: writers }, work))
  return { writers, rate: count / seconds, ...stall(), snapshots: (await newestSnapshot()) - newest }
}

/**
 * Compares one writer with one writer of lowdb's own file adapter, which writes the whole file for each change.
 * They alternate, so that other load on the machine slows both equally.
 */
async function compare(size: number): Promise<object> {
  const folder = new Folder(options, log)
  const rows = Object.entries((await folder.read()).all).map(([name, table]) => [name, [...table.all()]])
  await folder.close()
  const file = join(options.path, 'stock.json')
  const data: Record<string, unknown[]> = Object.fromEntries(rows)
  const database = new Low(new JSONFile<typeof data>(file), data)
  const store = await open(options, log)
  const next = random(1)
  const own = await alternate(
    () => write(store, Math.floor(next() * size), next()),
    count => {
      data.partitions?.splice(count, 1, { id: count + 1, rows: report(count, count).rows })
      return database.write()
    },
  )
  await store.close()
  return { ...own, bytes: (await stat(file)).size }
}

/** Returns writes per second of both; each runs for a second at a time. */
async function alternate(own: () => Promise<unknown>, stock: (count: number) => Promise<unknown>): Promise<object> {
  const count = { own: 0, stock: 0 }
  const spent = { own: 0, stock: 0 }
  for (let second = 0; second < 2 * seconds; second += 1) {
    const who = second % 2 ? 'own' : 'stock'
    const began = performance.now()
    do {
      await (who === 'own' ? own() : stock(count.stock))
      count[who] += 1
    } while (performance.now() - began < 1000)
    spent[who] += (performance.now() - began) / 1000
  }
  return { own: count.own / spent.own, stock: count.stock / spent.stock }
}

async function newestSnapshot(): Promise<number> {
  const names = await readdir(options.path)
  return Math.max(0, ...names.map(name => Number(/^snapshot\.(\d+)$/.exec(name)?.[1] ?? 0)))
}
