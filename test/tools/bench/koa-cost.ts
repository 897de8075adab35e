// Measures what Koa and its router cost: processor time of `GET /client/info` with each of them, and with the daemon, in turns.
//
//   node --import tsx test/tools/bench/koa-cost.ts [--rounds 20]
import { parseArgs } from 'node:util'
import { median } from './measurement.ts'
import type { BaselineServer, ServerKind } from './processes/baseline-server.ts'
import type { Callers } from './processes/callers.ts'
import { type Child, startChild } from './processes/child-process.ts'
import { computerSpecOf } from './processes/computers.ts'
import { type MeasuredDaemon, startMeasuredDaemon } from './processes/measured-daemon.ts'
import { cpuOf } from './processes/process-usage.ts'
import { requestText } from './processes/request-text.ts'

const computers = 200
const callers = 8
const milliseconds = 250
/** Rounds that are not counted, until the code is compiled. */
const warmUpRounds = 5
const kinds: ServerKind[] = ['baseline', 'koa', 'router']

interface Measured {
  pid: number
  port: number
}

export interface KoaCost {
  name: string
  /** Microseconds of processor time for one request, the median of the rounds. */
  cost: number
  /** To `node:http` alone, the median of the rounds. */
  ratio: number
}

/** The first row is `node:http` alone, the last one the daemon. */
export async function measureKoa(rounds: number): Promise<KoaCost[]> {
  const daemon = await startMeasuredDaemon(computers)
  const loader = startChild<Callers>('callers.ts')
  const servers = kinds.map(() => startChild<BaselineServer>('baseline-server.ts'))
  try {
    const routes = await routesOf(daemon)
    const payload = { client: [computerSpecOf(0).ip] }
    const text = JSON.stringify(await daemon.call('GET /client/info', payload))
    const programs = new Map<string, Measured>()
    for (const [index, server] of servers.entries()) {
      const kind = kinds[index] ?? 'baseline'
      await server.ask('setBody', text)
      await server.ask('setRoutes', routes)
      programs.set(nameOf(kind, routes.length), { pid: server.pid, port: await server.ask('listen', kind) })
    }
    programs.set('the daemon', { pid: daemon.pid, port: daemon.ports.rest })
    return await compare(programs, rounds, program =>
      costOf(program, loader, requestText('GET /client/info', payload, true)),
    )
  } finally {
    await Promise.all([loader, ...servers].map(child => child.stop()))
    await daemon.stop()
  }
}

async function routesOf(daemon: MeasuredDaemon): Promise<string[]> {
  const { modules } = await daemon.call<{ modules: { route?: string }[] }>('GET /modules')
  return modules.flatMap(({ route }) => route ?? [])
}

function nameOf(kind: ServerKind, routes: number): string {
  if (kind === 'koa') return 'Koa'
  return kind === 'router' ? `Koa and @koa/router, ${routes} routes` : '`node:http` alone'
}

async function compare(
  programs: ReadonlyMap<string, Measured>,
  rounds: number,
  measure: (program: Measured) => Promise<number>,
): Promise<KoaCost[]> {
  const costs = new Map<string, number[]>(Array.from(programs.keys(), name => [name, []]))
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    for (const [name, program] of programs) {
      const cost = await measure(program)
      if (round >= 0) costs.get(name)?.push(cost)
    }
  }
  const [baseline = []] = costs.values()
  return Array.from(costs, ([name, each]) => ({
    name,
    cost: median(each),
    ratio: median(each.map((cost, round) => cost / (baseline[round] ?? Number.NaN))),
  }))
}

/** Microseconds of processor time for one request. */
async function costOf({ pid, port }: Measured, loader: Child<Callers>, request: string): Promise<number> {
  const before = await cpuOf(pid)
  const load = { port, requests: [request], callers, keepAlive: true, milliseconds }
  const { requests, failed } = await loader.ask('run', load)
  if (failed > 0 || requests === 0) throw new Error(`expected responses with 200, got ${failed} others of ${requests}`)
  return (1000 * ((await cpuOf(pid)) - before)) / requests
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } })
  if (!/^[1-9]\d{0,3}$/.test(values.rounds)) throw new Error(`--rounds: expected a number, got ${values.rounds}`)
  console.log('| program | CPU per request | ratio |\n|---|---|---|')
  for (const { name, cost, ratio } of await measureKoa(Number(values.rounds))) {
    console.log(`| ${name} | ${cost.toFixed(1)} µs | ${ratio.toFixed(2)} |`)
  }
}

if (process.argv[1] === import.meta.filename) await main()
