// Measures what readers of /events cost: commands to many agents without readers, with many, and with stalled ones.
//
//   node --import tsx test/tools/bench/events.ts [--agents 1000] [--readers 200] [--rounds 5]
import { get, type IncomingMessage } from 'node:http'
import { parseArgs } from 'node:util'
import { type Agent, connectAgent } from '../../harness/simulated-agent.ts'
import { token } from '../../harness/test-host.ts'
import { type Daemon, spent, startDaemon } from './daemon.ts'

export interface EventLoad {
  agents: number
  readers: number
  rounds: number
}

export interface EventResult {
  /** Milliseconds from a request to its response. */
  responded: number[]
  /** Milliseconds from the request until every agent has replied and the job is finished. */
  finished: number[]
  /** Event-loop delay of the daemon in milliseconds, by its own metrics: 99th percentile and maximum. */
  delay: [number, number]
  /** Processor seconds of the daemon per round. */
  cpu: number
  /** The fewest and the most events that a reader received. */
  received: [number, number]
  /** Readers that the daemon closed. */
  closed: number
}

/** Agents that connect at the same time; more would only wait in the kernel. */
const atOnce = 200

/** A reader that only counts events, so that this program uses little processor time. */
async function openReader(port: number, stalls: boolean) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { Authorization: token }
    get({ host: '127.0.0.1', port, path: '/events', agent: false, headers }, resolve).on('error', reject)
  })
  const reader = { count: 0, close: () => response.destroy() }
  response.on('error', () => {})
  if (stalls) response.pause()
  else response.on('data', (chunk: Buffer) => (reader.count += countOf(chunk)))
  return reader
}

function countOf(chunk: Buffer): number {
  let count = 0
  for (let at = chunk.indexOf('data: '); at >= 0; at = chunk.indexOf('data: ', at + 6)) count += 1
  return count
}

/** Sends commands to all agents, one after the other; `stalling` readers read nothing. */
export async function measureEvents(
  daemon: Daemon,
  { agents, readers, rounds }: EventLoad,
  stalling = 0,
): Promise<EventResult> {
  const port = await daemon.program.port()
  const open = await Promise.all(Array.from({ length: readers }, (_, index) => openReader(port, index < stalling)))
  const result: EventResult = { responded: [], finished: [], delay: [0, 0], cpu: 0, received: [0, 0], closed: 0 }
  const closedBefore = countClosed(daemon)
  await readDelay(daemon)
  const before = daemon.cpu()
  const reading = open.slice(stalling)
  for (let round = 1; round <= rounds; round += 1) {
    await runRound(daemon, daemon.addrs.slice(0, agents), result)
    // All readers are in this one process, which reads more slowly than the daemon writes.
    const behind = () => reading.some(({ count }) => count < 3 * agents * round)
    for (let tries = 0; behind() && tries < 300; tries += 1) await daemon.call('GET /healthz')
  }
  const { user, system } = spent(before, daemon.cpu())
  result.cpu = (user + system) / rounds
  result.delay = await readDelay(daemon)
  const counts = reading.map(({ count }) => count)
  result.received = counts.length > 0 ? [Math.min(...counts), Math.max(...counts)] : [0, 0]
  result.closed = countClosed(daemon) - closedBefore
  for (const reader of open) reader.close()
  return result
}

interface JobCounts {
  counts: { queued: number; sent: number }
}

async function runRound({ program, call }: Daemon, clients: string[], result: EventResult): Promise<void> {
  const began = performance.now()
  const { status, headers } = await program.call(token, 'POST /shell/run', { clients, run: 'true', echo: true })
  if (status !== 200) throw new Error(`${status}: ${program.output().slice(-500)}`)
  result.responded.push(performance.now() - began)
  for (;;) {
    // The route is known to return a job with its counts.
    const { counts } = (await call(`GET /jobs/${headers['x-job-id']}?after=999999`)) as JobCounts
    if (counts.queued + counts.sent === 0) break
  }
  result.finished.push(performance.now() - began)
}

const countClosed = ({ program }: Daemon) => program.output().split(': closed: ').length - 1

/** Milliseconds: the delays since the last call. */
async function readDelay({ program }: Daemon): Promise<[number, number]> {
  const { text } = await program.call(token, 'GET /metrics')
  const of = (name: string) => Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (.*)$`, 'm').exec(text)?.[1])
  return [1000 * of('p99'), 1000 * of('max')]
}

const median = (times: number[]) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0

function printResult(
  what: string,
  { responded, finished, delay, cpu, received: [min, max], closed }: EventResult,
): void {
  const ms = (time: number) => `${time.toFixed(0)} ms`
  console.log(
    `${what}: response in ${ms(median(responded))}, finished in ${ms(median(finished))}, event-loop delay ` +
      `${ms(delay[0])} (99th percentile), ${ms(delay[1])} (maximum), ${cpu.toFixed(2)} s of CPU a round; ` +
      `each reader received ${min} to ${max} events, ${closed} readers closed`,
  )
}

async function main(): Promise<void> {
  const text = (fallback: string) => ({ type: 'string', default: fallback }) as const
  const { values } = parseArgs({ options: { agents: text('1000'), readers: text('200'), rounds: text('5') } })
  const load = { agents: Number(values.agents), readers: Number(values.readers), rounds: Number(values.rounds) }
  const daemon = await startDaemon(load.agents)
  const agents: Agent[] = []
  try {
    const port = await daemon.program.agentsPort()
    const auto = { '/shell/run': { status: 200, body: { out: 'done' } } }
    for (let from = 0; from < load.agents; from += atOnce) {
      const addrs = daemon.addrs.slice(from, from + atOnce)
      agents.push(...(await Promise.all(addrs.map(addr => connectAgent({ port, addr, auto, keep: false })))))
    }
    await measureEvents(daemon, { ...load, readers: 0, rounds: 2 })
    printResult('no reader', await measureEvents(daemon, { ...load, readers: 0 }))
    printResult(`${load.readers} readers`, await measureEvents(daemon, load))
    const tenth = Math.ceil(load.readers / 10)
    printResult(`${load.readers} readers, ${tenth} of them stalled`, await measureEvents(daemon, load, tenth))
    printResult('no reader again', await measureEvents(daemon, { ...load, readers: 0 }))
  } finally {
    for (const agent of agents) agent.destroy()
    await daemon.stop()
  }
}

if (process.argv[1] === import.meta.filename) await main()
