// Measures reads by eight callers: rate, latency and CPU, compared with a server that returns the same bytes.
import { inTurns, type Measurement, type Row, type Target } from '../measurement.ts'
import type { BaselineServer, ServerKind } from '../processes/baseline-server.ts'
import type { Bench } from '../processes/bench.ts'
import type { Callers } from '../processes/callers.ts'
import type { Child } from '../processes/child-process.ts'
import { addressesOf, computerSpecOf, requestText } from '../processes/computers.ts'
import { fillDaemon } from '../processes/filled-daemon.ts'
import { type LoadedProgram, loadOf } from '../processes/process-usage.ts'

const computers = 1_800
const load = { callers: 8, milliseconds: 500 }
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
const info: ReadRoute = { route: 'GET /client/info', payload: client => ({ client: [client] }), targets: record }
const routes: ReadRoute[] = [
  { route: 'GET /clients', targets: list },
  { route: 'GET /scopes', targets: list },
  info,
  { route: 'GET /hardware', payload: client => ({ client: [client] }), targets: record },
  { route: 'GET /software', payload: client => ({ client: [client], disk: 1, partition: 2 }) },
  { route: 'GET /images' },
]

/** Other small programs, which show what part of a ratio is not caused by the daemon. */
const others: Partial<Record<ServerKind, string>> = {
  koa: 'the smallest Koa program',
  busy: 'the baseline server with 50 µs more work',
}

export const reads: Measurement = {
  name: 'reads',
  sizes: [1_000],
  async run(bench, connected, { profile }) {
    const daemon = await bench.daemon(computers)
    await fillDaemon(daemon, await bench.agentsOf(daemon, connected), connected)
    const callers = bench.child<Callers>('callers.ts')
    const own: LoadedProgram = { pid: daemon.pid, port: daemon.ports.rest }
    const baseline = await startServer(bench, 'baseline')
    const requestsOf = ({ route, payload }: ReadRoute, keepAlive: boolean) =>
      addressesOf(payload ? connected : 1).map(client => requestText(route, payload?.(client), keepAlive))
    /** Each of the programs in turns, after the servers have got the daemon's response. */
    const measure = async (read: ReadRoute, keepAlive: boolean, programs: LoadedProgram[], servers: Server[]) => {
      const body = JSON.stringify(await daemon.call(read.route, read.payload?.(computerSpecOf(0).ip)))
      for (const { child } of servers) await child.ask('setBody', body)
      const requests = requestsOf(read, keepAlive)
      return inTurns(programs, rounds, program =>
        loadOf(callers, program.pid, { ...load, requests, keepAlive, port: program.port }),
      )
    }
    for (const { port } of [own, baseline]) {
      const requests = routes.flatMap(read => requestsOf(read, true))
      await callers.ask('run', { ...load, port, requests, keepAlive: true, milliseconds: warmMilliseconds })
    }
    const rows: Row[] = []
    for (const read of routes) {
      for (const keepAlive of [true, false]) {
        const [measured, bare] = await measure(read, keepAlive, [own, baseline], [baseline])
        const name = `${read.route}${keepAlive ? ', keep-alive' : ''}`
        if (measured && bare) rows.push(...rowsOf(name, measured, bare, keepAlive ? read.targets : undefined))
      }
      await daemon.withProfile(profile, read.route.replace('GET /', '').replace('/', '-'), () =>
        callers.ask('run', { ...load, ...own, keepAlive: true, requests: requestsOf(read, true), milliseconds: 2_000 }),
      )
    }
    for (const [kind, name] of Object.entries(others)) {
      // `as`: the keys of `others`.
      const other = await startServer(bench, kind as ServerKind)
      const [measured, bare] = await measure(info, true, [other, baseline], [other, baseline])
      const figure = `${name}, keep-alive: CPU`
      rows.push({ figure, measured: measured?.cpu ?? Number.NaN, unit: 'ms', baseline: bare?.cpu })
    }
    return rows
  },
}

interface Server extends LoadedProgram {
  child: Child<BaselineServer>
}

export async function startServer(bench: Bench, kind: ServerKind, routes: string[] = []): Promise<Server> {
  const child = bench.child<BaselineServer>('baseline-server.ts')
  await child.ask('setRoutes', routes)
  return { child, pid: child.pid, port: await child.ask('listen', kind) }
}

type Figures = Record<'cpu' | 'perSecond' | 'p50' | 'p99', number>

const rowsOf = (name: string, measured: Figures, bare: Figures, targets: Target[] = []): Row[] => [
  { figure: `${name}: CPU`, measured: measured.cpu, unit: 'ms', baseline: bare.cpu, targets },
  { figure: `${name}: rate`, measured: measured.perSecond, unit: '/s', baseline: bare.perSecond },
  { figure: `${name}: p50`, measured: measured.p50, unit: 'ms', baseline: bare.p50 },
  { figure: `${name}: p99`, measured: measured.p99, unit: 'ms', baseline: bare.p99 },
]
