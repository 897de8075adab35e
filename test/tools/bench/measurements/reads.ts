// Measures reads by eight callers: rate, latency and CPU, compared with a server that returns the same bytes.
import { type Measurement, medians, type Row, repeat, type Target } from '../measurement.ts'
import type { Agents } from '../processes/agents.ts'
import type { BaselineServer, ServerKind } from '../processes/baseline-server.ts'
import type { Callers, Load } from '../processes/callers.ts'
import { type Child, startChild } from '../processes/child-process.ts'
import { computerSpecOf } from '../processes/computers.ts'
import { startFilledDaemon } from '../processes/filled-daemon.ts'
import type { MeasuredDaemon } from '../processes/measured-daemon.ts'
import { cpuOf } from '../processes/process-usage.ts'
import { requestText } from '../processes/request-text.ts'

const computers = 1_800
const connected = 1_000
const callers = 8
const milliseconds = 500
const rounds = { warm: 2, rounds: 5 }
/** Warms up code that all routes share, so that the first route is not measured slower. */
const warmMilliseconds = 1_500

interface ReadRoute {
  route: string
  /** The payload for one computer, on routes that take one. */
  payload?: (client: string) => object
  targets?: Target[]
}

const list: Target[] = [
  { of: 'value', max: 0.1 },
  { of: 'ratio', max: 1 / 0.7 },
]
const record: Target[] = [{ of: 'ratio', max: 1 / 0.5 }]
const routes: ReadRoute[] = [
  { route: 'GET /clients', targets: list },
  { route: 'GET /scopes', targets: list },
  { route: 'GET /client/info', payload: client => ({ client: [client] }), targets: record },
  { route: 'GET /hardware', payload: client => ({ client: [client] }), targets: record },
  { route: 'GET /software', payload: client => ({ client: [client], disk: 1, partition: 2 }) },
  { route: 'GET /images' },
]

interface Processes {
  daemon: MeasuredDaemon
  callers: Child<Callers>
  server: Child<BaselineServer>
  port: number
}

export const reads: Measurement = {
  name: 'reads',
  async run({ profile }) {
    const agents = startChild<Agents>('agents.ts')
    const daemon = await startFilledDaemon(computers, agents, connected)
    const server = startChild<BaselineServer>('baseline-server.ts')
    const processes = {
      daemon,
      server,
      callers: startChild<Callers>('callers.ts'),
      port: await server.ask('listen', 'baseline'),
    }
    try {
      const rows: Row[] = []
      for (const port of [daemon.ports.rest, processes.port]) {
        const requests = routes.flatMap(read => requestsOf(read, true))
        await processes.callers.ask('run', { port, requests, callers, keepAlive: true, milliseconds: warmMilliseconds })
      }
      for (const read of routes) {
        for (const keepAlive of [true, false]) rows.push(...(await measure(read, keepAlive, processes)))
        const name = read.route.replace('GET /', '').replace('/', '-')
        const load = { port: daemon.ports.rest, keepAlive: true, requests: requestsOf(read, true) }
        await daemon.withProfile(profile, name, () =>
          processes.callers.ask('run', { ...load, callers, milliseconds: 2_000 }),
        )
      }
      for (const kind of ['koa', 'busy'] as const) rows.push(await measureOther(kind, processes))
      return rows
    } finally {
      await Promise.all([agents, server, processes.callers].map(child => child.stop()))
      await daemon.stop()
    }
  },
}

function requestsOf({ route, payload }: ReadRoute, keepAlive: boolean): string[] {
  const length = payload ? connected : 1
  return Array.from({ length }, (_, index) => requestText(route, payload?.(computerSpecOf(index).ip), keepAlive))
}

async function measure(
  read: ReadRoute,
  keepAlive: boolean,
  { daemon, callers: loader, server, port }: Processes,
): Promise<Row[]> {
  const requests = requestsOf(read, keepAlive)
  await server.ask('setBody', JSON.stringify(await daemon.call(read.route, read.payload?.(computerSpecOf(0).ip))))
  const load = { requests, callers, keepAlive, milliseconds }
  const runBoth = async () => {
    const measured = await run(loader, { ...load, port: daemon.ports.rest }, daemon.pid)
    const baseline = await run(loader, { ...load, port }, server.pid)
    return {
      ...measured,
      baselinePerSecond: baseline.perSecond,
      baselineCpu: baseline.cpu,
      baselineP50: baseline.p50,
      baselineP99: baseline.p99,
    }
  }
  const results = await repeat(rounds, runBoth)
  const keys = [
    'perSecond',
    'cpu',
    'p50',
    'p99',
    'baselinePerSecond',
    'baselineCpu',
    'baselineP50',
    'baselineP99',
  ] as const
  const values = medians(results, ...keys)
  const name = `${read.route}${keepAlive ? ', keep-alive' : ''}`
  const targets = keepAlive ? read.targets : undefined
  return [
    {
      figure: `${name}: CPU`,
      measured: values.cpu,
      unit: 'ms',
      baseline: values.baselineCpu,
      ...(targets && { targets }),
    },
    { figure: `${name}: rate`, measured: values.perSecond, unit: '/s', baseline: values.baselinePerSecond },
    { figure: `${name}: p50`, measured: values.p50, unit: 'ms', baseline: values.baselineP50 },
    { figure: `${name}: p99`, measured: values.p99, unit: 'ms', baseline: values.baselineP99 },
  ]
}

const others: Record<Extract<ServerKind, 'koa' | 'busy'>, string> = {
  koa: 'the smallest Koa program',
  busy: 'the baseline server with 50 µs more work',
}

/** Compares other small programs with the baseline, to show which part of a ratio is not caused by the daemon. */
async function measureOther(
  kind: Extract<ServerKind, 'koa' | 'busy'>,
  { daemon, callers: loader, server, port }: Processes,
): Promise<Row> {
  const other = startChild<BaselineServer>('baseline-server.ts')
  try {
    const read: ReadRoute = { route: 'GET /client/info', payload: client => ({ client: [client] }) }
    const load = { requests: requestsOf(read, true), callers, keepAlive: true, milliseconds }
    const text = JSON.stringify(await daemon.call(read.route, read.payload?.(computerSpecOf(0).ip)))
    const otherPort = await other.ask('listen', kind)
    for (const each of [server, other]) await each.ask('setBody', text)
    const runBoth = async () => ({
      cpu: (await run(loader, { ...load, port: otherPort }, other.pid)).cpu,
      baseline: (await run(loader, { ...load, port }, server.pid)).cpu,
    })
    const { cpu, baseline } = medians(await repeat(rounds, runBoth), 'cpu', 'baseline')
    return { figure: `${others[kind]}, keep-alive: CPU`, measured: cpu, unit: 'ms', baseline }
  } finally {
    await other.stop()
  }
}

/** `cpu` is in milliseconds per request. */
async function run(loader: Child<Callers>, load: Load, pid: number) {
  const before = await cpuOf(pid)
  const { requests, failed, ...served } = await loader.ask('run', load)
  if (failed > 0) throw new Error(`${load.requests[0]?.split('\r\n')[0]}: ${failed} of ${requests} failed`)
  return { ...served, cpu: ((await cpuOf(pid)) - before) / requests }
}
