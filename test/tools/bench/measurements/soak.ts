// Measures a mixed load over time: eight callers that read, write and send commands, and a thousand agents.
import type { Measurement } from '../measurement.ts'
import type { Agents } from '../processes/agents.ts'
import type { Callers } from '../processes/callers.ts'
import { startChild } from '../processes/child-process.ts'
import { computerSpecOf } from '../processes/computers.ts'
import { startFilledDaemon } from '../processes/filled-daemon.ts'
import { cpuOf, memoryOf } from '../processes/process-usage.ts'
import { requestText } from '../processes/request-text.ts'

const connected = 1_000
const callers = 8
const warmSeconds = 3
/** The largest ratio of resident memory at the end to that at the start. */
const maxGrowth = 1.1

/** Twenty requests: eighteen reads, mostly of one computer, a script and an update of a computer. */
function round(index: number): string[] {
  const client = computerSpecOf((index * 7) % connected).ip
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
  async run({ seconds, profile }) {
    const agents = startChild<Agents>('agents.ts')
    const daemon = await startFilledDaemon(connected, agents, connected)
    const loader = startChild<Callers>('callers.ts')
    try {
      const requests = Array.from({ length: connected }, (_, index) => round(index)).flat()
      const load = { port: daemon.ports.rest, requests, callers, keepAlive: true }
      await loader.ask('run', { ...load, milliseconds: warmSeconds * 1000 })
      const [heap, start, before] = [await daemon.inspect('heap'), memoryOf(daemon.pid), await cpuOf(daemon.pid)]
      const result = await loader.ask('run', { ...load, milliseconds: seconds * 1000 })
      const cpu = ((await cpuOf(daemon.pid)) - before) / result.requests
      const [heapAtEnd, end] = [await daemon.inspect('heap'), memoryOf(daemon.pid)]
      await daemon.withProfile(profile, 'soak', () => loader.ask('run', { ...load, milliseconds: warmSeconds * 1000 }))
      const name = `soak of ${seconds} s`
      return [
        { figure: `${name}: rate`, measured: result.perSecond, unit: '/s', targets: atLeast(5_000) },
        { figure: `${name}: p99`, measured: result.p99, unit: 'ms', targets: atMost(10) },
        { figure: `${name}: CPU per request`, measured: cpu, unit: 'ms' },
        { figure: `${name}: requests that failed`, measured: result.failed, unit: '', targets: atMost(0) },
        { figure: `${name}: resident at the start`, measured: start / 2 ** 20, unit: 'MiB' },
        {
          figure: `${name}: resident at the end`,
          measured: end / 2 ** 20,
          unit: 'MiB',
          targets: atMost((start / 2 ** 20) * maxGrowth),
        },
        { figure: `${name}: in use, growth`, measured: (heapAtEnd - heap) / 2 ** 20, unit: 'MiB' },
      ]
    } finally {
      await Promise.all([agents.stop(), loader.stop()])
      await daemon.stop()
    }
  },
}

const atMost = (value: number) => [{ of: 'value', max: value } as const]
const atLeast = (value: number) => [{ of: 'value', min: value } as const]
