// Measures what tens of thousands of agents take on one host: memory by kind, connecting at once, idling, one command
// to all, and the lists that a console reads.
import { setTimeout as wait } from 'node:timers/promises'
import { labLists } from '../../../../host/console/app/api/lab-lists.ts'
import { call } from '../../../harness/rest-call.ts'
import { atMost, count, type Measurement, median, type Options, type Row } from '../measurement.ts'
import { type AgentGroups, startAgentGroups } from '../processes/agent-groups.ts'
import { type Bench, withBench } from '../processes/bench.ts'
import { now } from '../processes/child-process.ts'
import { addressesOf, script } from '../processes/computers.ts'
import type { MeasuredDaemon } from '../processes/measured-daemon.ts'
import { memoryOf } from '../processes/process-usage.ts'
import { kernelMemory, kernelObjects, openFilesOf, requireOpenFiles } from '../processes/system-limits.ts'
import { measure as measureIdle, settleSeconds } from './idle.ts'
import { type Memory, measureBare, measureNats, perAgent, runAll, type Side, stormOf } from './scale-sides.ts'

/** Bytes for each agent, milliseconds, and percent of a core. */
const targets = { bytes: 10_000, stored: 2_000, idle: 0.2 }
const listRounds = 5
const readPause = 10 // ms
const shownKinds = 8

export const scale: Measurement = {
  name: 'scale',
  sizes: [50_000],
  async run(_, size, options) {
    requireOpenFiles(size)
    // One after the other: the kernel's memory is that of the whole machine.
    const { rows, ...full } = await withBench(bench => measureDaemon(bench, size, options))
    const bare = await withBench(bench => measureBare(bench, size))
    const nats = await withBench(bench => measureNats(bench, size))
    const besideNats = nats ? rowsOf(`${nameOf(size)}, beside NATS`, full, nats) : []
    return [...rowsOf(nameOf(size), full, bare), ...rows, ...besideNats]
  },
}

const nameOf = (size: number) => `scale, ${count(size)} agents`

async function measureDaemon(
  bench: Bench,
  size: number,
  { seconds, profile, filled }: Options,
): Promise<Side & { rows: Row[] }> {
  const daemon = await (filled ? bench.daemon(size, { left: filled }) : bench.startedAgain(size))
  const agents = startAgentGroups(bench, size)
  await warmUp(daemon, agents)
  const empty = await memoryOfDaemon(daemon)
  const objects = kernelObjects()
  let read = 0
  const connect = async () => {
    read = await longestRead(daemon, agents.connect(daemon.ports.agents, 1))
    // The result of a client's last command is set when its reply is on disk.
    await daemon.waitForClients(size)
  }
  const storm = await stormOf(daemon.pid, agents, connect)
  const memory = perAgent(await memoryOfDaemon(daemon), empty, size)
  const kinds = largestGrowth(objects, size)
  const files = openFilesOf(daemon.pid)
  await wait(settleSeconds * 1000)
  const { percent } = await measureIdle(daemon.pid, seconds)
  const payload = { clients: addressesOf(size), ...script }
  const stored = () => daemon.logged(new RegExp(`job \\d+ shell-run.*: ${size} success;`))
  const send = () => daemon.call('POST /shell/run', payload)
  const times = await runAll({ pid: daemon.pid, agents, idle: 0, call: send, stored })
  const replied = perAgent(await memoryOfDaemon(daemon), empty, size)
  const resident = memoryOf(daemon.pid) / 2 ** 20
  await daemon.withProfile(profile, `scale-${size}`, () => Promise.all([stored(), send()]))
  const row = (figure: string, measured: number, unit: string, max?: number): Row => ({
    ...{ figure: `${nameOf(size)}: ${figure}`, measured, unit, targets: atMost(max) },
  })
  const rows = [
    row('the processor: a loop of 30,000,000 additions', shortestLoop(), 'ms'),
    row('connect at once: longest read of one client meanwhile', read, 'ms'),
    row('user space, in use by JavaScript', memory.heap, 'bytes'),
    row('user space after commands, resident', replied.user, 'bytes', targets.bytes),
    row('user space of the daemon in all', resident, 'MiB'),
    ...kinds.map(([kind, bytes]) => row(`kernel, ${kind}, both ends`, bytes, 'bytes')),
    row('open files', files, ''),
    row('idle: CPU', percent, '%', targets.idle),
    ...(await listRows(daemon, size)),
  ]
  return { storm, memory, ...times, rows }
}

/** Memory that the first agents allocate once does not count. */
async function warmUp(daemon: MeasuredDaemon, agents: AgentGroups): Promise<void> {
  await agents.connect(daemon.ports.agents, 0, 100)
  await daemon.waitForClients(100)
  await agents.leave()
  await daemon.waitForClients(0)
}

/** Collects garbage first, so that resident memory is memory in use. */
async function memoryOfDaemon(daemon: MeasuredDaemon): Promise<Memory> {
  const heap = await daemon.inspect('heap')
  return { user: memoryOf(daemon.pid), heap, ...kernelMemory() }
}

/** Of each agent, by the kind of the kernel's objects, largest first. */
function largestGrowth(before: Map<string, number>, size: number): [kind: string, bytes: number][] {
  const growth = [...kernelObjects()].map(([kind, bytes]): [string, number] => [
    kind,
    (bytes - (before.get(kind) ?? 0)) / size,
  ])
  return growth.sort(([, a], [, b]) => b - a).slice(0, shownKinds)
}

/** By it, times of machines of different speed are compared. */
function shortestLoop(): number {
  const times = Array.from({ length: 5 }, () => {
    const began = now()
    let sum = 0
    for (let index = 0; index < 30_000_000; index += 1) sum = (sum * 31 + index) | 0
    return sum === 0 ? 0 : now() - began
  })
  return Math.min(...times)
}

/** Milliseconds of the slowest read of one client until the promise is settled. */
async function longestRead(daemon: MeasuredDaemon, end: Promise<unknown>): Promise<number> {
  const client = addressesOf(1)
  let longest = 0
  let isOver = false
  const onEnd = () => {
    isOver = true
  }
  end.then(onEnd, onEnd)
  while (!isOver) {
    const began = now()
    await daemon.call('GET /client/info', { client })
    longest = Math.max(longest, now() - began)
    await wait(readPause)
  }
  await end
  return longest
}

/** The same figures of the daemon and of another program. */
function rowsOf(name: string, full: Side, other: Side): Row[] {
  const row = (figure: string, unit: string, pick: (side: Side) => number, max?: number): Row => ({
    ...{ figure: `${name}: ${figure}`, measured: pick(full), baseline: pick(other), unit, targets: atMost(max) },
  })
  return [
    row('connect at once', 'ms', ({ storm }) => storm.time),
    row('connect at once: CPU', 'ms', ({ storm }) => storm.cpu),
    row('connect at once: accept queue was full', 'times', ({ storm }) => storm.overflows),
    row('agents dropped', 'agents', ({ storm }) => storm.dropped, 0),
    row('user space, resident', 'bytes', ({ memory }) => memory.user, targets.bytes),
    row('kernel, objects of both ends', 'bytes', ({ memory }) => memory.slab),
    row('kernel, buffers of both ends', 'bytes', ({ memory }) => memory.buffers),
    row('first command to all: last receipt', 'ms', ({ cold }) => cold.received),
    row('first command to all: last outcome stored', 'ms', ({ cold }) => cold.stored, targets.stored),
    row('command to all: last receipt', 'ms', ({ warm }) => warm.received),
    row('command to all: last outcome stored', 'ms', ({ warm }) => warm.stored, targets.stored),
    row('command to all: CPU', 'ms', ({ warm }) => warm.cpu),
  ]
}

/** What a console reads before it shows the map, each list alone. */
async function listRows({ ports }: MeasuredDaemon, size: number): Promise<Row[]> {
  const rows: Row[] = []
  for (const path of labLists) {
    const times: number[] = []
    let bytes = 0
    for (let round = 0; round < listRounds; round += 1) {
      const began = now()
      const { status, text } = await call(ports.rest, `GET ${path}`)
      times.push(now() - began)
      if (status !== 200) throw new Error(`GET ${path}: ${status}`)
      bytes = Buffer.byteLength(text)
    }
    const figure = `${nameOf(size)}: GET ${path}`
    rows.push({ figure, measured: median(times), unit: 'ms' })
    rows.push({ figure: `${figure}: size`, measured: bytes / 1e6, unit: 'MB' })
  }
  return rows
}
