// One script to many agents: until the last has received it, until the last answer is stored, and what it costs.
import { Agent as Connections } from 'node:http'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { encodeRequest } from '../../../host/agents/codec.ts'
import { count, type Figure, medians, type Options, type Row, repeat } from '../figure.ts'
import type { Agents } from '../sides/agents.ts'
import { type Child, now, startChild } from '../sides/child.ts'
import { cpuOf } from '../sides/cpu.ts'
import { ask, type Measured, startMeasured } from '../sides/measured.ts'
import { seatOf } from '../sides/seats.ts'
import type { Sender } from '../sides/sender.ts'

const sizes = [100, 1_000, 4_000, 10_000]
const script = { run: 'uname -a', echo: true }
const bytes = encodeRequest('POST /shell/run', JSON.stringify(script)).toString()
const atOnce = 500
/** Milliseconds: the daemon shall do little but what is measured. */
const pollTime = 2
/** More rounds where a round is short. */
const roundsOf = (size: number) => (size <= 1_000 ? { warm: 15, rounds: 25 } : { warm: 7, rounds: 9 })

export const fanOut: Figure = {
  name: 'fan-out',
  async run(options) {
    const rows: Row[] = []
    for (const size of sizes.filter(size => size <= (options.agents ?? size)))
      rows.push(...(await measure(size, options)))
    return rows
  },
}

async function measure(size: number, { profile }: Options): Promise<Row[]> {
  const daemon = await startMeasured(size)
  const agents = startChild<Agents>('agents.ts')
  const sender = startChild<Sender>('sender.ts')
  const others = startChild<Agents>('agents.ts')
  const connections = new Connections({ keepAlive: true })
  try {
    await agents.ask('connect', { port: daemon.ports.agents, count: size, atOnce, round: 0 })
    await daemon.ready(size)
    await others.ask('connect', { port: await sender.ask('listen'), count: size, atOnce })
    const clients = Array.from({ length: size }, (_, index) => seatOf(index).ip)
    const callerPort = await sender.ask('listenForCaller', { file: join(daemon.folder, 'requests'), text: bytes })
    const call = () => ask<void>(connections, callerPort, 'POST /shell/run', { clients, ...script })
    const all = async () => ({
      ...(await forward(daemon, agents, clients)),
      ...(await sendBare(sender, others)),
      askedCpu: await askBare(sender, others, call),
    })
    const results = await repeat(roundsOf(size), all)
    await daemon.profiled(profile, `fan-out-${size}`, async () => {
      for (let round = 0; round < 5; round += 1) await forward(daemon, agents, clients)
    })
    return rowsOf(size, medians(results, 'received', 'cpu', 'stored', 'storing', 'bareReceived', 'bareCpu', 'askedCpu'))
  } finally {
    connections.destroy()
    await Promise.all([agents, others, sender].map(child => child.stop()))
    await daemon.stop()
  }
}

type Times = Record<'received' | 'cpu' | 'stored' | 'storing' | 'bareReceived' | 'bareCpu' | 'askedCpu', number>

function rowsOf(size: number, { received, cpu, stored, storing, bareReceived, bareCpu, askedCpu }: Times): Row[] {
  const name = `fan-out to ${count(size)}`
  return [
    { figure: `${name}: last receipt`, measured: received, unit: 'ms', bare: bareReceived },
    { figure: `${name}: CPU`, measured: cpu, unit: 'ms', bare: bareCpu, targets: [{ of: 'ratio', most: 1.4 }] },
    {
      figure: `${name}: CPU, bare asked by HTTP and with the request on disk`,
      measured: cpu,
      unit: 'ms',
      bare: askedCpu,
    },
    { figure: `${name}: last answer stored`, measured: stored, unit: 'ms' },
    { figure: `${name}: CPU of the answers`, measured: storing, unit: 'ms' },
  ]
}

/** CPU until all have it and the caller is answered, then until all answers are stored. */
async function forward(daemon: Measured, agents: Child<Agents>, clients: string[]) {
  await agents.ask('hold')
  const before = await cpuOf(daemon.pid)
  const began = now()
  const answered = daemon.call('POST /shell/run', { clients, ...script })
  const received = (await agents.ask('received')) - began
  await answered
  const between = await cpuOf(daemon.pid)
  const released = await agents.ask('release')
  await allStored(daemon, clients.length)
  const stored = received + now() - released
  return { received, cpu: between - before, stored, storing: (await cpuOf(daemon.pid)) - between }
}

async function allStored(daemon: Measured, size: number): Promise<void> {
  for (;;) {
    const { jobs } = await daemon.call<{ jobs: { counts: Record<string, number> }[] }>('GET /jobs?limit=1')
    const { success, sent } = jobs[0]?.counts ?? {}
    if (success === size) return
    if (sent === 0) throw new Error(`fan-out to ${size}: ${success} answers stored`)
    await wait(pollTime)
  }
}

async function sendBare(sender: Child<Sender>, agents: Child<Agents>) {
  await agents.ask('hold')
  const before = await cpuOf(sender.pid)
  const began = now()
  const sent = sender.ask('send', bytes)
  const bareReceived = (await agents.ask('received')) - began
  await sent
  return { bareReceived, bareCpu: (await cpuOf(sender.pid)) - before }
}

/** What a part of the daemon's CPU is for that no program can leave out: to be asked, and to keep what it was asked. */
async function askBare(sender: Child<Sender>, agents: Child<Agents>, call: () => Promise<void>): Promise<number> {
  await agents.ask('hold')
  const before = await cpuOf(sender.pid)
  const answered = call()
  await agents.ask('received')
  await answered
  return (await cpuOf(sender.pid)) - before
}
