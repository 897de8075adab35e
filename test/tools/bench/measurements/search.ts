// Measures queries over a fleet whose computers have 300 programs each, on the embedded store and on PostgreSQL.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import openLowdb from '../../../../stores/lowdb/index.ts'
import openPostgres from '../../../../stores/postgres/index.ts'
import type { Store } from '../../../../stores/store.ts'
import { startPostgres } from '../../../harness/postgres.ts'
import { atMost, count, type Measurement, median, type Row } from '../measurement.ts'
import { fill, inventoryOf, random } from '../postgres/store-fleet.ts'
import type { Bench } from '../processes/bench.ts'
import { now } from '../processes/child-process.ts'
import { memoryOf } from '../processes/process-usage.ts'

const programs = 150 // of each of two systems
const rounds = { warm: 3, rounds: 9 }
const target = 100 // ms, of the slowest query
const valuesTarget = 50 // ms, as the answer to each key typed
const silent = { info() {}, warn: (where: string, what: string) => console.error(where, what) }

/** What administrators ask for: each field, and what finds much, little and nothing. */
const queries = [
  'room:"room 7" os:windows',
  'software:package-77-runtime',
  'software:blender>=3',
  'software:runtime',
  'software:runtime>=9 not software:package-1*',
  'not software:*-3-runtime*',
  'ram<8GB',
  'ram>=16GB disk>=500GB',
  'disk:nvme',
  'used>90',
  'state:off',
  'state:on user:*',
  'seen<7d',
  'seen>30d or state:off',
  'ip:10.0.3.0/24',
  'name:pc-12*',
  'serial:SN99*',
  'mac:00-00-00-00-1*',
  'cpu:i5 model:optiplex',
  'device:"vendor 7"',
  'image:win11',
  'failed:restore',
  'pc-99',
  'not (room:"room 1" or os:ubuntu) and (boot:pxe or maintenance:yes)',
]
const prefixes: [field: string, prefix: string][] = [
  ['software', 'pack'],
  ['software', 'runtime'],
  ['software', 'zzz'],
  ['device', 'ven'],
  ['name', 'pc-9'],
  ['room', 'room'],
]

export const search: Measurement = {
  name: 'search',
  sizes: [10_000],
  async run(bench, size, { profile }) {
    const server = await startPostgres()
    bench.atEnd(() => server.stop())
    const options = server.storeOptions('fleet')
    await fillWith(openPostgres({ ...options, path: '' }, silent), size)
    const client = await server.connect()
    await client.query('vacuum analyze')
    await client.end()
    const folder = mkdtempSync(join(tmpdir(), 'fleet-bench-search-'))
    bench.atEnd(() => rmSync(folder, { recursive: true, force: true }))
    const lowdb = { adapter: 'lowdb', path: folder }
    await fillWith(openLowdb(lowdb, silent), size)
    return [
      ...(await measure(bench, 'lowdb', lowdb, size, profile)),
      ...(await measure(bench, 'postgres', options, size, profile)),
    ]
  },
}

async function fillWith(opening: Promise<Store>, size: number): Promise<void> {
  const store = await opening
  await fill(store, size, reportedBy)
  await store.close()
}

/** As in `inventoryOf`, with lists of the same length, and with devices that have sizes. */
function reportedBy(index: number): ReturnType<typeof inventoryOf> {
  const { windows, ubuntu, items, ...more } = inventoryOf(index)
  const next = random(index)
  const memory = { type: 'memory', description: `${4 << (index % 4)} GiB` }
  const processor = { type: 'processor', description: next() < 0.5 ? 'Intel Core i5-12400' : 'AMD Ryzen 5 5600' }
  const cut = ({ os, programs: lines }: typeof windows) => ({ os, programs: lines.slice(0, programs) })
  return { ...more, items: [...items, memory, processor], windows: cut(windows), ubuntu: cut(ubuntu) }
}

async function measure(
  bench: Bench,
  name: string,
  store: object,
  size: number,
  profile: string | undefined,
): Promise<Row[]> {
  const daemon = await bench.daemon(size, { store })
  const before = memoryOf(daemon.pid)
  const timeOf = async (route: string) => {
    const began = now()
    await daemon.call(route)
    return now() - began
  }
  const find = (where: string) => `GET /search?where=${encodeURIComponent(where)}`
  const offer = ([field, prefix]: (typeof prefixes)[number]) => `GET /search/values?field=${field}&prefix=${prefix}`
  const routes = [...queries.map(find), 'GET /software?search=package-77', 'GET /software?search=runtime']
  const searches = await timesOf(routes, timeOf)
  const values = await timesOf(prefixes.map(offer), timeOf)
  const targets = size <= 10_000
  await daemon.withProfile(profile, `search-${name}`, () => timesOf(routes, timeOf))
  const of = `${name}, ${count(size)} computers`
  const worst = (times: Map<string, number>) => Math.max(...times.values())
  for (const [route, time] of [...searches, ...values].sort(([, a], [, b]) => b - a).slice(0, 5))
    process.stderr.write(`\n${time.toFixed(0)} ms ${decodeURIComponent(route)}`)
  return [
    {
      figure: `${of}: slowest of ${routes.length} queries`,
      measured: worst(searches),
      unit: 'ms',
      targets: targets ? atMost(target) : [],
    },
    { figure: `${of}: a query in the middle`, measured: median([...searches.values()]), unit: 'ms' },
    {
      figure: `${of}: slowest of ${prefixes.length} completions`,
      measured: worst(values),
      unit: 'ms',
      targets: targets ? atMost(valuesTarget) : [],
    },
    { figure: `${of}: resident before the first query`, measured: before / 2 ** 20, unit: 'MB' },
    { figure: `${of}: resident after all`, measured: memoryOf(daemon.pid) / 2 ** 20, unit: 'MB' },
  ]
}

/** The median of each route. */
async function timesOf(
  routes: readonly string[],
  timeOf: (route: string) => Promise<number>,
): Promise<Map<string, number>> {
  const times = new Map<string, number>()
  for (const route of routes) {
    for (let round = 0; round < rounds.warm; round += 1) await timeOf(route)
    const measured: number[] = []
    for (let round = 0; round < rounds.rounds; round += 1) measured.push(await timeOf(route))
    times.set(route, median(measured))
  }
  return times
}
