// What readers of events cost: commands to many agents at once, without readers, with many, and with some that stall.
//
//   node --import tsx test/bench/events.ts [--agents 1000] [--readers 200] [--rounds 5]
import { get, type IncomingMessage } from 'node:http'
import { parseArgs } from 'node:util'
import { type Agent, connectAgent } from '../harness/simulated-agent.ts'
import { token } from '../harness/test-host.ts'
import { type Daemon, spent, startDaemon } from './daemon.ts'

export interface EventLoad {
  agents: number
  readers: number
  rounds: number
}

export interface EventResult {
  /** Milliseconds from a command's request to its answer. */
  answered: number[]
  /** Milliseconds from the request until every agent has answered and the job is finished. */
  finished: number[]
  /** Milliseconds for which the daemon's event loop was late: 99th percentile and maximum, as it measures itself. */
  late: [number, number]
  /** Processor seconds of the daemon a round. */
  cpu: number
  /** Events that each reader has got, the fewest and the most. */
  received: [number, number]
  /** Readers that were cut off. */
  cut: number
}

/** Agents that connect at once; more would only wait in the kernel. */
const atOnce = 200

/** A reader that only counts, so that the measuring program is not what is measured. */
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

/** Commands to all agents, one after the other; `stalling` of the readers take nothing. */
export async function measureEvents(
  daemon: Daemon,
  { agents, readers, rounds }: EventLoad,
  stalling = 0,
): Promise<EventResult> {
  const port = await daemon.program.port()
  const open = await Promise.all(Array.from({ length: readers }, (_, index) => openReader(port, index < stalling)))
  const result: EventResult = { answered: [], finished: [], late: [0, 0], cpu: 0, received: [0, 0], cut: 0 }
  const cutBefore = cutOff(daemon)
  await readLateness(daemon)
  const before = daemon.cpu()
  const taking = open.slice(stalling)
  for (let round = 1; round <= rounds; round += 1) {
    await runRound(daemon, daemon.addrs.slice(0, agents), result)
    // All readers are in one process here, which takes longer to read than the daemon to tell.
    const behind = () => taking.some(({ count }) => count < 3 * agents * round)
    for (let tries = 0; behind() && tries < 300; tries += 1) await daemon.call('GET /healthz')
  }
  const { user, system } = spent(before, daemon.cpu())
  result.cpu = (user + system) / rounds
  result.late = await readLateness(daemon)
  const counts = taking.map(({ count }) => count)
  result.received = counts.length > 0 ? [Math.min(...counts), Math.max(...counts)] : [0, 0]
  result.cut = cutOff(daemon) - cutBefore
  for (const reader of open) reader.close()
  return result
}

async function runRound({ program, call }: Daemon, clients: string[], result: EventResult): Promise<void> {
  const began = performance.now()
  const { status, headers } = await program.call(token, 'POST /shell/run', { clients, run: 'true', echo: true })
  if (status !== 200) throw new Error(`${status}: ${program.output().slice(-500)}`)
  result.answered.push(performance.now() - began)
  for (;;) {
    const job: unknown = await call(`GET /jobs/${headers['x-job-id']}?after=999999`)
    const { queued, sent } = Object(job).counts
    if (queued + sent === 0) break
  }
  result.finished.push(performance.now() - began)
}

const cutOff = ({ program }: Daemon) => program.output().split(': cut off, ').length - 1

/** Since it was read before; the daemon's delays above its own timer's step of 10 ms. */
async function readLateness({ program }: Daemon): Promise<[number, number]> {
  const { text } = await program.call(token, 'GET /metrics')
  const of = (name: string) => Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds (.*)$`, 'm').exec(text)?.[1])
  return [1000 * of('p99') - 10, 1000 * of('max') - 10]
}

const median = (times: number[]) => times.toSorted((a, b) => a - b)[times.length >> 1] ?? 0

function tell(what: string, { answered, finished, late, cpu, received: [least, most], cut }: EventResult): void {
  const ms = (time: number) => `${time.toFixed(0)} ms`
  console.log(
    `${what}: answered in ${ms(median(answered))}, finished in ${ms(median(finished))}, event loop late by ` +
      `${ms(late[0])} (99th percentile), ${ms(late[1])} (most), ${cpu.toFixed(2)} s of a processor a round; ` +
      `each reader got ${least} to ${most} events, ${cut} cut off`,
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
    tell('no reader', await measureEvents(daemon, { ...load, readers: 0 }))
    tell(`${load.readers} readers`, await measureEvents(daemon, load))
    const tenth = Math.ceil(load.readers / 10)
    tell(`${load.readers} readers, ${tenth} of them stalled`, await measureEvents(daemon, load, tenth))
    tell('no reader any more', await measureEvents(daemon, { ...load, readers: 0 }))
  } finally {
    for (const agent of agents) agent.destroy()
    await daemon.stop()
  }
}

if (process.argv[1] === import.meta.filename) await main()
