// What callers read, eight of them: requests a second, latency and processor time, beside a server of the same bytes.
import { type Figure, medians, type Row, repeat, type Target } from '../figure.ts'
import type { Agents } from '../sides/agents.ts'
import type { Callers, Load } from '../sides/callers.ts'
import { type Child, startChild } from '../sides/child.ts'
import { cpuOf } from '../sides/cpu.ts'
import { startLivedIn } from '../sides/lived-in.ts'
import type { Measured } from '../sides/measured.ts'
import { requestText } from '../sides/request.ts'
import { seatOf } from '../sides/seats.ts'
import type { Kind, Server } from '../sides/server.ts'

const computers = 1_800
const connected = 1_000
const callers = 8
const milliseconds = 500
const rounds = { warm: 2, rounds: 5 }
/** Code that all routes share is compiled further while it runs; the first route shall not pay for it. */
const warmMilliseconds = 1_500

interface Read {
  route: string
  /** Requests are different ones where a caller chooses a computer. */
  payload?: (client: string) => object
  targets?: Target[]
}

const list: Target[] = [
  { of: 'value', most: 0.1 },
  { of: 'ratio', most: 1 / 0.7 },
]
const record: Target[] = [{ of: 'ratio', most: 1 / 0.5 }]
const routes: Read[] = [
  { route: 'GET /clients', targets: list },
  { route: 'GET /scopes', targets: list },
  { route: 'GET /client/info', payload: client => ({ client: [client] }), targets: record },
  { route: 'GET /hardware', payload: client => ({ client: [client] }), targets: record },
  { route: 'GET /software', payload: client => ({ client: [client], disk: 1, partition: 2 }) },
  { route: 'GET /images' },
]

interface Sides {
  daemon: Measured
  callers: Child<Callers>
  server: Child<Server>
  port: number
}

export const reads: Figure = {
  name: 'reads',
  async run({ profile }) {
    const agents = startChild<Agents>('agents.ts')
    const daemon = await startLivedIn(computers, agents, connected)
    const server = startChild<Server>('server.ts')
    const sides = {
      daemon,
      server,
      callers: startChild<Callers>('callers.ts'),
      port: await server.ask('listen', 'bare'),
    }
    try {
      const rows: Row[] = []
      for (const port of [daemon.ports.rest, sides.port]) {
        const requests = routes.flatMap(read => requestsOf(read, true))
        await sides.callers.ask('run', { port, requests, callers, keepAlive: true, milliseconds: warmMilliseconds })
      }
      for (const read of routes) {
        for (const keepAlive of [true, false]) rows.push(...(await measure(read, keepAlive, sides)))
        const name = read.route.replace('GET /', '').replace('/', '-')
        const load = { port: daemon.ports.rest, keepAlive: true, requests: requestsOf(read, true) }
        await daemon.profiled(profile, name, () => sides.callers.ask('run', { ...load, callers, milliseconds: 2_000 }))
      }
      for (const kind of ['koa', 'busy'] as const) rows.push(await measureOther(kind, sides))
      return rows
    } finally {
      await Promise.all([agents, server, sides.callers].map(child => child.stop()))
      await daemon.stop()
    }
  },
}

function requestsOf({ route, payload }: Read, keepAlive: boolean): string[] {
  const length = payload ? connected : 1
  return Array.from({ length }, (_, index) => requestText(route, payload?.(seatOf(index).ip), keepAlive))
}

async function measure(
  read: Read,
  keepAlive: boolean,
  { daemon, callers: loader, server, port }: Sides,
): Promise<Row[]> {
  const requests = requestsOf(read, keepAlive)
  await server.ask('say', JSON.stringify(await daemon.call(read.route, read.payload?.(seatOf(0).ip))))
  const load = { requests, callers, keepAlive, milliseconds }
  const both = async () => {
    const measured = await run(loader, { ...load, port: daemon.ports.rest }, daemon.pid)
    const bare = await run(loader, { ...load, port }, server.pid)
    return { ...measured, barePerSecond: bare.perSecond, bareCpu: bare.cpu, bareP50: bare.p50, bareP99: bare.p99 }
  }
  const results = await repeat(rounds, both)
  const keys = ['perSecond', 'cpu', 'p50', 'p99', 'barePerSecond', 'bareCpu', 'bareP50', 'bareP99'] as const
  const found = medians(results, ...keys)
  const name = `${read.route}${keepAlive ? ', keep-alive' : ''}`
  const targets = keepAlive ? read.targets : undefined
  return [
    { figure: `${name}: CPU`, measured: found.cpu, unit: 'ms', bare: found.bareCpu, ...(targets && { targets }) },
    { figure: `${name}: rate`, measured: found.perSecond, unit: '/s', bare: found.barePerSecond },
    { figure: `${name}: p50`, measured: found.p50, unit: 'ms', bare: found.bareP50 },
    { figure: `${name}: p99`, measured: found.p99, unit: 'ms', bare: found.bareP99 },
  ]
}

const others: Record<Exclude<Kind, 'bare'>, string> = {
  koa: 'the smallest Koa program',
  busy: 'the bare server with 50 µs more to do',
}

/** What part of a ratio is no work of the daemon: other programs beside the bare one, with the answer of `client/info`. */
async function measureOther(
  kind: Exclude<Kind, 'bare'>,
  { daemon, callers: loader, server, port }: Sides,
): Promise<Row> {
  const other = startChild<Server>('server.ts')
  try {
    const read: Read = { route: 'GET /client/info', payload: client => ({ client: [client] }) }
    const load = { requests: requestsOf(read, true), callers, keepAlive: true, milliseconds }
    const text = JSON.stringify(await daemon.call(read.route, read.payload?.(seatOf(0).ip)))
    const otherPort = await other.ask('listen', kind)
    for (const one of [server, other]) await one.ask('say', text)
    const both = async () => ({
      cpu: (await run(loader, { ...load, port: otherPort }, other.pid)).cpu,
      bare: (await run(loader, { ...load, port }, server.pid)).cpu,
    })
    const { cpu, bare } = medians(await repeat(rounds, both), 'cpu', 'bare')
    return { figure: `${others[kind]}, keep-alive: CPU`, measured: cpu, unit: 'ms', bare }
  } finally {
    await other.stop()
  }
}

/** CPU in milliseconds a request. */
async function run(loader: Child<Callers>, load: Load, pid: number) {
  const before = await cpuOf(pid)
  const { requests, failed, ...served } = await loader.ask('run', load)
  if (failed > 0) throw new Error(`${load.requests[0]?.split('\r\n')[0]}: ${failed} of ${requests} failed`)
  return { ...served, cpu: ((await cpuOf(pid)) - before) / requests }
}
