// Measures hot reloads: changes one command file repeatedly while callers use it and agents stay connected.
import { Agent as Connections } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { call } from '../../../harness/rest-call.ts'
import { startSite, textCommand } from '../../../harness/site-folder.ts'
import { atMost, type Measurement, median, quantile, type Row } from '../measurement.ts'

interface ReloadLoad {
  changes: number
  callers: number
  agents: number
}

interface ReloadResult {
  requests: number
  /** Requests whose response was not 200. */
  failed: number
  /** Agents that are not connected at the end. */
  dropped: number
  /** Growth of the heap in bytes, after garbage collection. */
  heapGrowth: number
  /** Milliseconds from each save to the first response of the new version. */
  latencies: number[]
}

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

export async function measureReloads({ changes, callers, agents }: ReloadLoad): Promise<ReloadResult> {
  const site = await startSite()
  const { lab } = site
  const port = lab.host.ports.rest
  const connections = new Connections({ keepAlive: true })
  const send = () => call(port, 'GET /edited', undefined, {}, { agent: connections })
  const result: ReloadResult = { requests: 0, failed: 0, dropped: 0, heapGrowth: 0, latencies: [] }
  for (let index = 0; index < agents; index += 1) {
    await lab.agent(`127.1.${Math.floor(index / 250)}.${(index % 250) + 1}`, { keep: false })
  }
  await site.save('edited.ts', textCommand('0', 'GET /edited'))
  let isFinished = false
  const callAgain = async () => {
    while (!isFinished) {
      const { status } = await send()
      result.requests += 1
      if (status !== 200) result.failed += 1
    }
  }
  const change = async (version: number) => {
    const saved = performance.now()
    site.write('edited.ts', textCommand(String(version), 'GET /edited'))
    for (let text = ''; text !== `{"text":"${version}"}`; ) text = (await send()).text
    result.latencies.push(performance.now() - saved)
    lab.log.length = 0
  }
  // Memory that the first loads allocate once does not count as growth.
  for (let version = 1; version <= 20; version += 1) await change(version)
  result.latencies.length = 0
  collect()
  const before = process.memoryUsage().heapUsed
  const calling = Array.from({ length: callers }, callAgain)
  for (let version = 21; version <= 20 + changes; version += 1) await change(version)
  isFinished = true
  await Promise.all(calling)
  collect()
  result.heapGrowth = process.memoryUsage().heapUsed - before
  const { json } = await lab.call('GET /clients')
  result.dropped = agents - json.clients.length
  connections.destroy()
  await site.stop()
  return result
}

const loads = [
  { name: 'alone', changes: 100, callers: 0, agents: 0 },
  { name: '8 callers, 500 agents', changes: 100, callers: 8, agents: 500 },
]

export const reloads: Measurement = {
  name: 'reloads',
  sizes: [500],
  async run() {
    const rows: Row[] = []
    for (const { name, ...load } of loads) {
      const { latencies, failed, dropped } = await measureReloads(load)
      const lost = { measured: failed + dropped, unit: '', targets: atMost(0) }
      rows.push(
        { figure: `reload, ${name}: median`, measured: median(latencies), unit: 'ms' },
        { figure: `reload, ${name}: p99`, measured: quantile(latencies, 0.99), unit: 'ms' },
        { figure: `reload, ${name}: failed requests, dropped agents`, ...lost },
      )
    }
    return rows
  },
}
