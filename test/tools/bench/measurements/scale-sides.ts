// The programs beside which `scale` measures the daemon: one that only holds as many sockets, and a NATS server.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent as Connections } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { medians, repeat } from '../measurement.ts'
import { type AgentGroups, startAgentGroups } from '../processes/agent-groups.ts'
import type { BaselineAgents } from '../processes/baseline-agents.ts'
import type { Bench } from '../processes/bench.ts'
import { now } from '../processes/child-process.ts'
import { addressesOf, script, scriptBytes } from '../processes/computers.ts'
import { ask } from '../processes/measured-daemon.ts'
import type { NatsCaller } from '../processes/nats-caller.ts'
import { cpuOf, memoryOf } from '../processes/process-usage.ts'
import { kernelMemory, queueOverflows } from '../processes/system-limits.ts'
import { type Program, runOnce, type Times } from './round-trip.ts'

/** Bytes; `user` is resident, `heap` what V8 has in use (of the daemon only), `slab` and `buffers` are the kernel's. */
export type Memory = Record<'user' | 'heap' | 'slab' | 'buffers', number>
/** Of connecting all at once: milliseconds, those of the processor, and counts. */
export type Storm = Record<'time' | 'cpu' | 'overflows' | 'dropped', number>

export interface Side {
  storm: Storm
  /** For each agent, when all are connected. */
  memory: Memory
  cold: Times
  warm: Times
}

const warmRounds = { warm: 2, rounds: 5 }
const startTimeout = 10_000 // ms

export const perAgent = (after: Memory, before: Memory, size: number): Memory => ({
  user: (after.user - before.user) / size,
  heap: (after.heap - before.heap) / size,
  slab: (after.slab - before.slab) / size,
  buffers: (after.buffers - before.buffers) / size,
})

const memoryNow = (pid: number): Memory => ({ user: memoryOf(pid), heap: 0, ...kernelMemory() })

/** `connect` resolves when all are connected. */
export async function stormOf(pid: number, agents: AgentGroups, connect: () => Promise<unknown>): Promise<Storm> {
  const before = { cpu: await cpuOf(pid), overflows: queueOverflows() }
  const began = now()
  await connect()
  const time = now() - began
  const cpu = (await cpuOf(pid)) - before.cpu
  return { time, cpu, overflows: queueOverflows() - before.overflows, dropped: await agents.dropped() }
}

export async function runAll(program: Program): Promise<Pick<Side, 'cold' | 'warm'>> {
  const cold = await runOnce(program)
  return { cold, warm: medians(await repeat(warmRounds, () => runOnce(program))) }
}

function folderOf(bench: Bench): string {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-bench-'))
  bench.atEnd(() => rmSync(folder, { recursive: true }))
  return folder
}

/** A program that only holds the sockets, sends the same bytes to all, and keeps the replies on disk. */
export async function measureBare(bench: Bench, size: number): Promise<Side> {
  const program = bench.child<BaselineAgents>('baseline-agents.ts')
  const agents = startAgentGroups(bench, size)
  const port = await program.ask('listen')
  const file = join(folderOf(bench), 'replies')
  const empty = memoryNow(program.pid)
  let callers = 0
  const storm = await stormOf(program.pid, agents, async () => {
    await agents.connect(port)
    callers = await program.ask('listenForCaller', { file, text: scriptBytes, count: size })
  })
  const memory = perAgent(memoryNow(program.pid), empty, size)
  const connections = new Connections({ keepAlive: true })
  bench.atEnd(() => connections.destroy())
  const payload = { clients: addressesOf(size), ...script }
  const send = () => ask(connections, callers, 'POST /shell/run', payload)
  const times = await runAll({ pid: program.pid, agents, idle: 0, call: send, stored: () => program.ask('stored') })
  return { storm, memory, ...times }
}

/**
 * A NATS server, with one subject that all clients listen to and one for their replies, which a program of its own
 * keeps on disk. Undefined without the program `nats-server`.
 */
export async function measureNats(bench: Bench, size: number): Promise<Side | undefined> {
  const folder = folderOf(bench)
  const server = await startNats(bench, folder, size)
  if (!server) return undefined
  const { pid, port } = server
  const caller = bench.child<NatsCaller>('nats-caller.ts')
  await caller.ask('open', { port, file: join(folder, 'replies') })
  const agents = startAgentGroups(bench, size, 'nats-agents.ts')
  const empty = memoryNow(pid)
  const storm = await stormOf(pid, agents, () => agents.connect(port))
  const memory = perAgent(memoryNow(pid), empty, size)
  const send = () => caller.ask('send', { text: scriptBytes, count: size })
  const times = await runAll({ pid, agents, idle: 0, call: send, stored: () => caller.ask('stored') })
  return { storm, memory, ...times }
}

async function startNats(bench: Bench, folder: string, size: number) {
  const config = join(folder, 'nats.conf')
  writeFileSync(config, `max_connections: ${size + 100}\n`)
  const child = spawn('nats-server', ['-c', config, '-a', '127.0.0.1', '-p', '-1'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const ended = once(child, 'exit').catch(() => undefined)
  bench.atEnd(() => child.kill('SIGKILL') && ended)
  const signal = AbortSignal.timeout(startTimeout)
  for (let text = ''; ; ) {
    const [, port] = /client connections on 127\.0\.0\.1:(\d+)/.exec(text) ?? []
    child.stderr.resume()
    if (port !== undefined) return { pid: child.pid ?? 0, port: Number(port) }
    // Without the program `data` never comes.
    const [chunk] = await Promise.race([once(child.stderr, 'data', { signal }), once(child, 'error')])
    if (chunk instanceof Error) return undefined
    text += chunk
  }
}
