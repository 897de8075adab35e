// Measures what Koa and its router cost: CPU of `GET /client/info` with each of them, and with the daemon, in turns.
import { inTurns, type Measurement } from '../measurement.ts'
import type { Callers } from '../processes/callers.ts'
import { computerSpecOf, requestText } from '../processes/computers.ts'
import { type LoadedProgram, loadOf } from '../processes/process-usage.ts'
import { startServer } from './reads.ts'

const rounds = { warm: 5, rounds: 20 }
const load = { callers: 8, milliseconds: 250, keepAlive: true }

export const koa: Measurement = {
  name: 'koa',
  sizes: [200],
  async run(bench, size) {
    const daemon = await bench.daemon(size)
    const callers = bench.child<Callers>('callers.ts')
    const { modules } = await daemon.call<{ modules: { route?: string }[] }>('GET /modules')
    const routes = modules.flatMap(({ route }) => route ?? [])
    const payload = { client: [computerSpecOf(0).ip] }
    const body = JSON.stringify(await daemon.call('GET /client/info', payload))
    const programs = new Map<string, LoadedProgram>()
    const names = { baseline: '`node:http` alone', koa: 'Koa', router: `Koa and @koa/router, ${routes.length} routes` }
    for (const kind of ['baseline', 'koa', 'router'] as const) {
      const server = await startServer(bench, kind, routes)
      await server.child.ask('setBody', body)
      programs.set(names[kind], server)
    }
    programs.set('the daemon', { pid: daemon.pid, port: daemon.ports.rest })
    const requests = [requestText('GET /client/info', payload, true)]
    const costs = await inTurns([...programs.values()], rounds, ({ pid, port }) =>
      loadOf(callers, pid, { ...load, requests, port }),
    )
    const [bare] = costs
    return [...programs.keys()].map((name, index) => ({
      figure: `${name}: CPU of a request`,
      measured: 1000 * (costs[index]?.cpu ?? Number.NaN),
      unit: 'µs',
      baseline: 1000 * (bare?.cpu ?? Number.NaN),
    }))
  },
}
