// Measures a mixed load over time: eight callers that read, write and send commands, and a thousand agents.
import { atLeast, atMost, type Measurement } from '../measurement.ts'
import type { Callers } from '../processes/callers.ts'
import { addressesOf, requestText } from '../processes/computers.ts'
import { fillDaemon } from '../processes/filled-daemon.ts'
import { cpuOf, memoryOf } from '../processes/process-usage.ts'

const warmSeconds = 3
/** The largest ratio of resident memory at the end to that at the start. */
const maxGrowth = 1.1

/** Twenty requests: eighteen reads, mostly of one computer, a script and an update of a computer. */
function round(client: string, index: number): string[] {
  const requestFor = (route: string, more: object = {}) => requestText(route, { client: [client], ...more }, true)
  const repeated = (times: number, text: string) => Array.from({ length: times }, () => text)
  return [
    ...repeated(6, requestFor('GET /client/info')),
    ...repeated(4, requestFor('GET /hardware')),
    ...repeated(2, requestFor('GET /software', { disk: 1, partition: 2 })),
    ...repeated(2, requestText('POST /shell/output', { clients: [client] }, true)),
    ...repeated(2, requestFor('GET /client/setup')),
    requestText('GET /clients', undefined, true),
    requestText('GET /scopes', undefined, true),
    requestText('POST /shell/run', { clients: [client], run: 'uname -a', echo: true }, true),
    requestText('POST /client/update', { ip: client, serial_number: `S${index}` }, true),
  ]
}

export const soak: Measurement = {
  name: 'soak',
  sizes: [1_000],
  async run(bench, size, { seconds = 10, profile }) {
    const daemon = await bench.daemon(size)
    await fillDaemon(daemon, await bench.agentsOf(daemon, size), size)
    const loader = bench.child<Callers>('callers.ts')
    const clients = addressesOf(size)
    const requests = clients.flatMap((_, index) => round(clients[(index * 7) % size] ?? '', index))
    const load = { port: daemon.ports.rest, requests, callers: 8, keepAlive: true }
    const warm = { ...load, milliseconds: warmSeconds * 1000 }
    await loader.ask('run', warm)
    const [heap, start] = [await daemon.inspect('heap'), memoryOf(daemon.pid) / 2 ** 20]
    const before = await cpuOf(daemon.pid)
    const {
      perSecond,
      p99,
      requests: count,
      failed,
    } = await loader.ask('run', { ...load, milliseconds: seconds * 1000 })
    const cpu = ((await cpuOf(daemon.pid)) - before) / count
    const [heapAtEnd, end] = [await daemon.inspect('heap'), memoryOf(daemon.pid) / 2 ** 20]
    await daemon.withProfile(profile, 'soak', () => loader.ask('run', warm))
    const name = `soak of ${seconds} s`
    return [
      { figure: `${name}: rate`, measured: perSecond, unit: '/s', targets: atLeast(5_000) },
      { figure: `${name}: p99`, measured: p99, unit: 'ms', targets: atMost(10) },
      { figure: `${name}: CPU per request`, measured: cpu, unit: 'ms' },
      { figure: `${name}: requests that failed`, measured: failed, unit: '', targets: atMost(0) },
      { figure: `${name}: resident at the start`, measured: start, unit: 'MiB' },
      { figure: `${name}: resident at the end`, measured: end, unit: 'MiB', targets: atMost(start * maxGrowth) },
      { figure: `${name}: in use, growth`, measured: (heapAtEnd - heap) / 2 ** 20, unit: 'MiB' },
    ]
  },
}
