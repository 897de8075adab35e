// Measures one script for many agents that reply at once, until the last outcome is on disk and the job has finished.
import { Agent as Connections } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { count, type Measurement, medians, type Row, timesBaseline } from '../measurement.ts'
import { type AgentGroups, groupsOf } from '../processes/agent-groups.ts'
import type { BaselineAgents } from '../processes/baseline-agents.ts'
import { type Bench, withBench } from '../processes/bench.ts'
import { now } from '../processes/child-process.ts'
import { addressesOf, script, scriptBytes } from '../processes/computers.ts'
import { ask, type MeasuredDaemon } from '../processes/measured-daemon.ts'
import { cpuOf } from '../processes/process-usage.ts'

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

/** Milliseconds: until the last agent has received the request, until all is stored, and of the processor. */
export type Times = Record<'received' | 'stored' | 'cpu', number>
type Both = Record<'full' | 'bare', Times>

/** The daemon or the bare program, with agents of its own. */
export interface Program {
  pid: number
  agents: Pick<AgentGroups, 'expect' | 'received'>
  /** Processor time per millisecond without work. */
  idle: number
  /** Sends one request to all agents. */
  call(): Promise<unknown>
  /** Resolves when the outcomes of the next request are stored. */
  stored(): Promise<void>
}

interface Programs {
  daemon: MeasuredDaemon
  full: Program
  bare: Program
}

export const roundTrip: Measurement = {
  name: 'round-trip',
  sizes: [10, 100, 1_000, 4_000, 10_000],
  async run(bench, size, options) {
    const { starts, rounds } = repetitionsOf(size)
    const cold: Both[] = []
    for (let start = 1; start < starts; start += 1) {
      cold.push(await withBench(async each => runBoth(await startBoth(each, size), start)))
    }
    const programs = await startBoth(bench, size)
    const { daemon, full, bare } = programs
    await Promise.all([full, bare].map(measureIdle))
    const warm: Both[] = []
    for (let round = 0; round < 1 + warmRounds + rounds; round += 1) {
      const result = await runBoth(programs, round)
      if (round === 0) cold.push(result)
      if (round > warmRounds) warm.push(result)
    }
    await daemon.withProfile(options.profile, `round-trip-${size}`, async () => {
      for (let round = 0; round < 10; round += 1) await runOnce(full)
    })
    return [...rowsOf(`${count(size)}, cold`, cold), ...rowsOf(`${count(size)}, warm`, warm, targets[size])]
  },
}

/** Which one is first alternates. */
async function runBoth({ full, bare }: Programs, round: number): Promise<Both> {
  if (round % 2 === 0) return { full: await runOnce(full), bare: await runOnce(bare) }
  const first = await runOnce(bare)
  return { full: await runOnce(full), bare: first }
}

export async function runOnce({ pid, agents, idle, call, stored }: Program): Promise<Times> {
  await agents.expect()
  const before = await cpuOf(pid)
  const began = now()
  const end = stored().then(now)
  await call()
  const received = (await agents.received()) - began
  const elapsed = (await end) - began
  const cpu = (await cpuOf(pid)) - before - idle * (now() - began)
  return { received, stored: elapsed, cpu }
}

async function measureIdle(program: Program): Promise<void> {
  const [before, began] = [await cpuOf(program.pid), now()]
  await wait(idleSeconds * 1000)
  program.idle = ((await cpuOf(program.pid)) - before) / (now() - began)
}

async function startBoth(bench: Bench, size: number): Promise<Programs> {
  const daemon = await bench.startedAgain(size)
  const agents = await bench.agentsOf(daemon, size)
  const baseline = bench.child<BaselineAgents>('baseline-agents.ts')
  const bareAgents = await bench.bareAgents(await baseline.ask('listen'), size)
  const connections = new Connections({ keepAlive: true })
  bench.atEnd(() => connections.destroy())
  const file = join(daemon.folder, 'answers')
  const port = await baseline.ask('listenForCaller', { file, text: scriptBytes, count: size })
  // The daemon has served requests of other kinds, too.
  await ask(connections, port, 'GET /')
  const payload = { clients: addressesOf(size), ...script }
  return {
    daemon,
    full: {
      pid: daemon.pid,
      agents: groupsOf([agents], size),
      idle: 0,
      call: () => daemon.call('POST /shell/run', payload),
      stored: () => daemon.logged(new RegExp(`job \\d+ shell-run.*: ${size} success;`)),
    },
    bare: {
      pid: baseline.pid,
      agents: groupsOf([bareAgents], size),
      idle: 0,
      call: () => ask(connections, port, 'POST /shell/run', payload),
      stored: () => baseline.ask('stored'),
    },
  }
}

function rowsOf(name: string, results: Both[], target?: { cpu: number; receipt?: number }): Row[] {
  const full = medians(results.map(each => each.full))
  const bare = medians(results.map(each => each.bare))
  const row = (figure: string, key: keyof Times, max?: number): Row => ({
    figure: `round trip of ${name}: ${figure}`,
    measured: full[key],
    unit: 'ms',
    baseline: bare[key],
    targets: timesBaseline(max),
  })
  return [
    row('last receipt', 'received', target?.receipt),
    row('last outcome stored', 'stored'),
    row('CPU', 'cpu', target?.cpu),
  ]
}
