// Measures one script for many agents: time to the last receipt, time to the last stored reply, and CPU.
import { Agent as Connections } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { encodeRequest } from '../../../../host/agents/connection/codec.ts'
import { count, type Measurement, medians, type Options, type Row, repeat } from '../measurement.ts'
import type { Agents } from '../processes/agents.ts'
import type { BaselineSender } from '../processes/baseline-sender.ts'
import { type Child, now, startChild } from '../processes/child-process.ts'
import { computerSpecOf } from '../processes/computers.ts'
import { ask, type MeasuredDaemon, startMeasuredDaemon } from '../processes/measured-daemon.ts'
import { cpuOf } from '../processes/process-usage.ts'

const sizes = [100, 1_000, 4_000, 10_000]
const script = { run: 'uname -a', echo: true }
const requestBytes = encodeRequest('POST /shell/run', JSON.stringify(script)).toString()
const atOnce = 500
/** Milliseconds; long enough that polling costs the daemon little. */
const pollTime = 2
/** More rounds where a round is short. */
const roundsOf = (size: number) => (size <= 1_000 ? { warm: 15, rounds: 25 } : { warm: 7, rounds: 9 })

export const fanOut: Measurement = {
  name: 'fan-out',
  async run(options) {
    const rows: Row[] = []
    for (const size of sizes.filter(size => size <= (options.agents ?? size)))
      rows.push(...(await measure(size, options)))
    return rows
  },
}

async function measure(size: number, { profile }: Options): Promise<Row[]> {
  const daemon = await startMeasuredDaemon(size)
  const agents = startChild<Agents>('agents.ts')
  const sender = startChild<BaselineSender>('baseline-sender.ts')
  const baselineAgents = startChild<Agents>('agents.ts')
  const connections = new Connections({ keepAlive: true })
  try {
    await agents.ask('connect', { port: daemon.ports.agents, count: size, atOnce, round: 0 })
    await daemon.waitForClients(size)
    await baselineAgents.ask('connect', { port: await sender.ask('listen'), count: size, atOnce })
    const clients = Array.from({ length: size }, (_, index) => computerSpecOf(index).ip)
    const callerPort = await sender.ask('listenForCaller', {
      file: join(daemon.folder, 'requests'),
      text: requestBytes,
    })
    const call = () => ask<void>(connections, callerPort, 'POST /shell/run', { clients, ...script })
    const runOnce = async () => ({
      ...(await forward(daemon, agents, clients)),
      ...(await sendBaseline(sender, baselineAgents)),
      baseline2Cpu: await askBaseline(sender, baselineAgents, call),
    })
    const results = await repeat(roundsOf(size), runOnce)
    await daemon.withProfile(profile, `fan-out-${size}`, async () => {
      for (let round = 0; round < 5; round += 1) await forward(daemon, agents, clients)
    })
    return rowsOf(
      size,
      medians(results, 'received', 'cpu', 'stored', 'storing', 'baselineReceived', 'baselineCpu', 'baseline2Cpu'),
    )
  } finally {
    connections.destroy()
    await Promise.all([agents, baselineAgents, sender].map(child => child.stop()))
    await daemon.stop()
  }
}

type Times = Record<
  'received' | 'cpu' | 'stored' | 'storing' | 'baselineReceived' | 'baselineCpu' | 'baseline2Cpu',
  number
>

function rowsOf(
  size: number,
  { received, cpu, stored, storing, baselineReceived, baselineCpu, baseline2Cpu }: Times,
): Row[] {
  const name = `fan-out to ${count(size)}`
  return [
    { figure: `${name}: last receipt`, measured: received, unit: 'ms', baseline: baselineReceived },
    { figure: `${name}: CPU`, measured: cpu, unit: 'ms', baseline: baselineCpu, targets: [{ of: 'ratio', max: 1.4 }] },
    {
      figure: `${name}: CPU, baseline 2`,
      measured: cpu,
      unit: 'ms',
      baseline: baseline2Cpu,
    },
    { figure: `${name}: last reply stored`, measured: stored, unit: 'ms' },
    { figure: `${name}: CPU of the replies`, measured: storing, unit: 'ms' },
  ]
}

/** Measures CPU until all agents have the script and the caller its response, then until all replies are stored. */
async function forward(daemon: MeasuredDaemon, agents: Child<Agents>, clients: string[]) {
  await agents.ask('hold')
  const before = await cpuOf(daemon.pid)
  const began = now()
  const response = daemon.call('POST /shell/run', { clients, ...script })
  const received = (await agents.ask('received')) - began
  await response
  const between = await cpuOf(daemon.pid)
  const released = await agents.ask('release')
  await allStored(daemon, clients.length)
  const stored = received + now() - released
  return { received, cpu: between - before, stored, storing: (await cpuOf(daemon.pid)) - between }
}

async function allStored(daemon: MeasuredDaemon, size: number): Promise<void> {
  for (;;) {
    const { jobs } = await daemon.call<{ jobs: { counts: Record<string, number> }[] }>('GET /jobs?limit=1')
    const { success, sent } = jobs[0]?.counts ?? {}
    if (success === size) return
    if (sent === 0) throw new Error(`fan-out to ${size}: ${success} replies stored`)
    await wait(pollTime)
  }
}

async function sendBaseline(sender: Child<BaselineSender>, agents: Child<Agents>) {
  await agents.ask('hold')
  const before = await cpuOf(sender.pid)
  const began = now()
  const sending = sender.ask('send', requestBytes)
  const baselineReceived = (await agents.ask('received')) - began
  await sending
  return { baselineReceived, baselineCpu: (await cpuOf(sender.pid)) - before }
}

/** Baseline 2: an HTTP server that also persists the request before it responds. */
async function askBaseline(
  sender: Child<BaselineSender>,
  agents: Child<Agents>,
  call: () => Promise<void>,
): Promise<number> {
  await agents.ask('hold')
  const before = await cpuOf(sender.pid)
  const response = call()
  await agents.ask('received')
  await response
  return (await cpuOf(sender.pid)) - before
}
