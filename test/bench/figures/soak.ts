// Mixed load for a while: eight callers that read, write and command, a thousand agents that answer.
import type { Figure } from '../figure.ts'
import type { Agents } from '../sides/agents.ts'
import type { Callers } from '../sides/callers.ts'
import { startChild } from '../sides/child.ts'
import { cpuOf, memoryOf } from '../sides/cpu.ts'
import { startLivedIn } from '../sides/lived-in.ts'
import { requestText } from '../sides/request.ts'
import { seatOf } from '../sides/seats.ts'

const connected = 1_000
const callers = 8
const warmSeconds = 3
/** Part of the memory at the start by which a process may have grown and yet be called flat. */
const flat = 1.1

/** Twenty requests: eighteen reads, most of single computers, a script and a note on a computer. */
function round(index: number): string[] {
  const client = seatOf((index * 7) % connected).ip
  const one = (route: string, more: object = {}) => requestText(route, { client: [client], ...more }, true)
  const repeated = (times: number, text: string) => Array.from({ length: times }, () => text)
  return [
    ...repeated(6, one('GET /client/info')),
    ...repeated(4, one('GET /hardware')),
    ...repeated(2, one('GET /software', { disk: 1, partition: 2 })),
    ...repeated(2, requestText('POST /shell/output', { clients: [client] }, true)),
    ...repeated(2, one('GET /client/setup')),
    requestText('GET /clients', undefined, true),
    requestText('GET /scopes', undefined, true),
    requestText('POST /shell/run', { clients: [client], run: 'uname -a', echo: true }, true),
    requestText('POST /client/update', { ip: client, serial_number: `S${index}` }, true),
  ]
}

export const soak: Figure = {
  name: 'soak',
  async run({ seconds, profile }) {
    const agents = startChild<Agents>('agents.ts')
    const daemon = await startLivedIn(connected, agents, connected)
    const loader = startChild<Callers>('callers.ts')
    try {
      const requests = Array.from({ length: connected }, (_, index) => round(index)).flat()
      const load = { port: daemon.ports.rest, requests, callers, keepAlive: true }
      await loader.ask('run', { ...load, milliseconds: warmSeconds * 1000 })
      const [heap, start, before] = [await daemon.probe('heap'), memoryOf(daemon.pid), await cpuOf(daemon.pid)]
      const served = await loader.ask('run', { ...load, milliseconds: seconds * 1000 })
      const cpu = ((await cpuOf(daemon.pid)) - before) / served.requests
      const [grown, end] = [await daemon.probe('heap'), memoryOf(daemon.pid)]
      await daemon.profiled(profile, 'soak', () => loader.ask('run', { ...load, milliseconds: warmSeconds * 1000 }))
      const name = `soak of ${seconds} s`
      return [
        ...[{ figure: `${name}: rate`, measured: served.perSecond, unit: '/s', targets: least(5_000) }],
        { figure: `${name}: p99`, measured: served.p99, unit: 'ms', targets: most(10) },
        { figure: `${name}: CPU a request`, measured: cpu, unit: 'ms' },
        { figure: `${name}: requests that failed`, measured: served.failed, unit: '', targets: most(0) },
        { figure: `${name}: resident at the start`, measured: start / 2 ** 20, unit: 'MiB' },
        {
          figure: `${name}: resident at the end`,
          measured: end / 2 ** 20,
          unit: 'MiB',
          targets: most((start / 2 ** 20) * flat),
        },
        { figure: `${name}: in use, growth`, measured: (grown - heap) / 2 ** 20, unit: 'MiB' },
      ]
    } finally {
      await Promise.all([agents.stop(), loader.stop()])
      await daemon.stop()
    }
  },
}

const most = (value: number) => [{ of: 'value', most: value } as const]
const least = (value: number) => [{ of: 'value', least: value } as const]
