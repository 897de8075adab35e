// Measures one script for many agents that reply at once, until the last outcome is on disk and the job has finished.
import { Agent as Connections } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { encodeRequest } from '../../../../host/agents/connection/codec.ts'
import { count, type Measurement, medians, type Options, type Row } from '../measurement.ts'
import type { Agents } from '../processes/agents.ts'
import type { BaselineRoundTrip } from '../processes/baseline-round-trip.ts'
import { type Child, now, startChild } from '../processes/child-process.ts'
import { computerSpecOf } from '../processes/computers.ts'
import { ask, startMeasuredDaemon } from '../processes/measured-daemon.ts'
import { cpuOf } from '../processes/process-usage.ts'

const sizes = [10, 100, 1_000, 4_000, 10_000]
const script = { run: 'uname -a', echo: true }
const requestBytes = encodeRequest('POST /shell/run', JSON.stringify(script)).toString()
const atOnce = 500
const warmRounds = 20
const idleSeconds = 2
/** How often both programs are started, for the first use after a start, and the rounds after the last start. */
const repetitionsOf = (size: number) =>
  size <= 1_000 ? { starts: 5, rounds: 30 } : { starts: size <= 4_000 ? 3 : 2, rounds: 10 }

/** Most times the processor time of the bare program, and most times its time to the last receipt. */
const targets: Record<number, { cpu: number; receipt?: number }> = {
  100: { cpu: 2, receipt: 2.85 },
  1000: { cpu: 1.5, receipt: 2.4 },
  4000: { cpu: 1.5, receipt: 2 },
  10000: { cpu: 1.5 },
}

export const roundTrip: Measurement = {
  name: 'round-trip',
  async run(options) {
    const rows: Row[] = []
    for (const size of sizes.filter(size => size <= (options.agents ?? size)))
      rows.push(...(await measure(size, options)))
    return rows
  },
}

/** Milliseconds: until the last agent has received the request, until all is stored, and of the processor. */
type Times = Record<'received' | 'stored' | 'cpu', number>

/** The daemon or the bare program, with agents of its own. */
interface Program {
  pid: number
  agents: Child<Agents>
  /** Sends one request to all agents. */
  call(): Promise<unknown>
  /** Resolves when the outcomes of the next request are stored. */
  stored(): Promise<void>
}

async function measure(size: number, options: Options): Promise<Row[]> {
  const { starts, rounds } = repetitionsOf(size)
  const cold: Record<'daemon' | 'bare', Times>[] = []
  for (let start = 1; start < starts; start += 1) {
    cold.push(await withPrograms(size, (daemon, bare) => runBoth(daemon, bare, start, 0, 0)))
  }
  const warm = await withPrograms(size, async (daemon, bare, profile) => {
    const [idle, bareIdle] = await Promise.all([idleCpuOf(daemon.pid), idleCpuOf(bare.pid)])
    const results: Record<'daemon' | 'bare', Times>[] = []
    for (let round = 0; round < 1 + warmRounds + rounds; round += 1) {
      const result = await runBoth(daemon, bare, round, idle, bareIdle)
      if (round === 0) cold.push(result)
      if (round > warmRounds) results.push(result)
    }
    await profile(options.profile, `round-trip-${size}`, async () => {
      for (let round = 0; round < 10; round += 1) await runOnce(daemon, 0)
    })
    return results
  })
  return [...rowsOf(`${count(size)}, cold`, cold, undefined), ...rowsOf(`${count(size)}, warm`, warm, targets[size])]
}

/** Which one is first alternates. */
async function runBoth(daemon: Program, bare: Program, round: number, idle: number, bareIdle: number) {
  if (round % 2 === 0) return { daemon: await runOnce(daemon, idle), bare: await runOnce(bare, bareIdle) }
  const first = await runOnce(bare, bareIdle)
  return { daemon: await runOnce(daemon, idle), bare: first }
}

async function runOnce({ pid, agents, call, stored }: Program, idle: number): Promise<Times> {
  await agents.ask('expect')
  const before = await cpuOf(pid)
  const began = now()
  const end = stored().then(now)
  await call()
  const received = (await agents.ask('received')) - began
  const elapsed = (await end) - began
  const cpu = (await cpuOf(pid)) - before - idle * (now() - began)
  return { received, stored: elapsed, cpu }
}

/** Processor time per millisecond. */
async function idleCpuOf(pid: number): Promise<number> {
  const [before, began] = [await cpuOf(pid), now()]
  await wait(idleSeconds * 1000)
  return ((await cpuOf(pid)) - before) / (now() - began)
}

type Profile = Awaited<ReturnType<typeof startMeasuredDaemon>>['withProfile']

async function withPrograms<Result>(
  size: number,
  work: (daemon: Program, bare: Program, profile: Profile) => Promise<Result>,
): Promise<Result> {
  // Started once more: what adds the computers is not what is measured.
  const filled = await startMeasuredDaemon(size)
  await filled.stop('keep')
  const daemon = await startMeasuredDaemon(size, filled.folder)
  const bare = startChild<BaselineRoundTrip>('baseline-round-trip.ts')
  const [agents, bareAgents] = [startChild<Agents>('agents.ts'), startChild<Agents>('agents.ts')]
  const connections = new Connections({ keepAlive: true })
  try {
    await agents.ask('connect', { port: daemon.ports.agents, count: size, atOnce, round: 0 })
    await daemon.waitForClients(size)
    await bareAgents.ask('connect', { port: await bare.ask('listen'), count: size, atOnce })
    const file = join(daemon.folder, 'answers')
    const port = await bare.ask('listenForCaller', { file, text: requestBytes, count: size })
    // The daemon has served requests of other kinds, too.
    await ask(connections, port, 'GET /')
    const payload = { clients: Array.from({ length: size }, (_, index) => computerSpecOf(index).ip), ...script }
    const own: Program = {
      pid: daemon.pid,
      agents,
      call: () => daemon.call('POST /shell/run', payload),
      stored: () => daemon.logged(new RegExp(`job \\d+ shell-run.*: ${size} success;`)),
    }
    const other: Program = {
      pid: bare.pid,
      agents: bareAgents,
      call: () => ask(connections, port, 'POST /shell/run', payload),
      stored: () => bare.ask('stored'),
    }
    return await work(own, other, daemon.withProfile)
  } finally {
    connections.destroy()
    await Promise.all([agents, bareAgents, bare].map(child => child.stop()))
    await daemon.stop()
  }
}

function rowsOf(
  name: string,
  results: Record<'daemon' | 'bare', Times>[],
  target: { cpu: number; receipt?: number } | undefined,
): Row[] {
  const keys = ['received', 'stored', 'cpu'] as const
  const own = medians(
    results.map(({ daemon }) => daemon),
    ...keys,
  )
  const bare = medians(
    results.map(({ bare }) => bare),
    ...keys,
  )
  const row = (figure: string, key: keyof Times, max?: number): Row => ({
    figure: `round trip of ${name}: ${figure}`,
    measured: own[key],
    unit: 'ms',
    baseline: bare[key],
    ...(max !== undefined && { targets: [{ of: 'ratio', max }] }),
  })
  return [
    row('last receipt', 'received', target?.receipt),
    row('last outcome stored', 'stored'),
    row('CPU', 'cpu', target?.cpu),
  ]
}
