// Measures hot reloads: changes a command, or a command, a hook and a view in turn, while callers use the command and agents
// stay connected.
import { Agent as Connections } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Host } from '../../../../host/host.ts'
import { call } from '../../../harness/rest-call.ts'
import { startSite, textCommand } from '../../../harness/site-folder.ts'
import { atMost, type Measurement, median, quantile, type Row } from '../measurement.ts'

interface ReloadLoad {
  changes: number
  callers: number
  agents: number
  /** A hook and a view are changed, too. */
  isMixed?: boolean
}

interface ReloadResult {
  requests: number
  /** Requests whose response was not 200. */
  failed: number
  /** Events that the hook did not get. */
  lost: number
  /** Agents that are not connected at the end. */
  dropped: number
  /** Growth of the heap in bytes, after garbage collection. */
  heapGrowth: number
  /** Milliseconds from each save to the first response of the new version. */
  latencies: number[]
}

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

export async function measureReloads({ changes, callers, agents, isMixed }: ReloadLoad): Promise<ReloadResult> {
  const site = await startSite()
  const { lab } = site
  const port = lab.host.ports.rest
  const connections = new Connections({ keepAlive: true })
  const send = () => call(port, 'GET /edited', undefined, {}, { agent: connections })
  const result: ReloadResult = { requests: 0, failed: 0, lost: 0, dropped: 0, heapGrowth: 0, latencies: [] }
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
  const changeCommand = async (version: number) => {
    site.write('edited.ts', textCommand(String(version), 'GET /edited'))
    for (let text = ''; text !== `{"text":"${version}"}`; ) text = (await send()).text
  }
  const changeView = async (version: number) => {
    site.write('shown.ts', viewSource(version))
    const ask = () => call(port, 'GET /view/shown', undefined, {}, { agent: connections })
    for (let text = ''; !text.includes(`version ${version}.`); ) text = (await ask()).text
  }
  const hook = openCountingHook(lab.host.events)
  const changeHook = (version: number) => {
    site.write('counting.ts', hook.source(version))
    return hook.seen(version)
  }
  const kinds = isMixed ? [changeCommand, changeHook, changeView] : [changeCommand]
  const change = async (version: number) => {
    const saved = performance.now()
    await kinds[version % kinds.length]?.(version)
    result.latencies.push(performance.now() - saved)
    lab.log.length = 0
  }
  // Before it is in service the hook gets no events.
  if (isMixed) await site.save('counting.ts', hook.source(0))
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
  result.lost = await hook.lost()
  connections.destroy()
  await site.stop()
  return result
}

const viewSource = (version: number) =>
  `export default { summary: 'x', title: 'X', view: 'overview', data: () => ({ value: 'version ${version}.' }) }\n`

/** A hook that notes the events that it gets, and which version of it got the last one. */
function openCountingHook(events: Host['events']) {
  const noted = { version: 0, hosts: new Set<string>() }
  Reflect.set(globalThis, 'countingHook', noted)
  let sent = 0
  const pause = () => new Promise(resolve => setTimeout(resolve, 2))
  return {
    source: (version: number) => `export default { summary: 'x', on: ['host-joined'],
      run({ events }) { for (const { host } of events) countingHook.hosts.add(host); countingHook.version = ${version} } }\n`,
    /** Sends events until that version gets one. */
    async seen(version: number) {
      while (noted.version !== version) {
        sent += 1
        events.emit({ type: 'host-joined', host: `host-${sent}` })
        await pause()
      }
    },
    /** How many have not come, some seconds after the last one was sent. */
    async lost() {
      for (let tries = 0; tries < 1000 && noted.hosts.size < sent; tries += 1) await pause()
      return sent - noted.hosts.size
    },
  }
}

const mixedEdits = 300

const loads: (ReloadLoad & { name: string })[] = [
  { name: 'alone', changes: 100, callers: 0, agents: 0 },
  { name: '8 callers, 500 agents', changes: 100, callers: 8, agents: 500 },
  { name: 'mixed kinds, 8 callers', changes: mixedEdits, callers: 8, agents: 0, isMixed: true },
]

export const reloads: Measurement = {
  name: 'reloads',
  sizes: [500],
  async run(_bench, _size, { edits = mixedEdits }) {
    const rows: Row[] = []
    for (const { name, ...load } of loads) {
      const { latencies, failed, dropped, lost } = await measureReloads(
        load.isMixed ? { ...load, changes: edits } : load,
      )
      const missing = { measured: failed + dropped + lost, unit: '', targets: atMost(0) }
      rows.push(
        { figure: `reload, ${name}: median`, measured: median(latencies), unit: 'ms' },
        { figure: `reload, ${name}: p99`, measured: quantile(latencies, 0.99), unit: 'ms' },
        { figure: `reload, ${name}: failed requests, dropped agents, lost events`, ...missing },
      )
    }
    return rows
  },
}
