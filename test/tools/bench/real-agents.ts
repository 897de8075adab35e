// Measures many of the agents for Linux on one machine: memory and processor time of one, beside a Node that does nothing,
// and how long all of them take to connect, and to connect again to a daemon that was killed.
//
//   node --import tsx test/tools/bench/real-agents.ts [--agents 500] [--seconds 60]
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { bundleAgent } from '../../../host/linux-agent/bundle-agent.ts'
import { type Program, startProgram } from '../../harness/daemon-process.ts'
import { token } from '../../harness/rest-call.ts'
import { median, type Row } from './measurement.ts'
import { cpuOf } from './processes/process-usage.ts'
import { table } from './table.ts'

const { values } = parseArgs({
  options: { agents: { type: 'string', default: '500' }, seconds: { type: 'string', default: '60' } },
})
const count = Number(values.agents)
const seconds = Number(values.seconds)
/** Programs that are started at the same time, and programs that do nothing. */
const atOnce = 20
const bareCount = 20
const pollTime = 100 // ms
/** Milliseconds of a clock tick, in which the kernel counts the time of programs that have ended. */
const tick = 10
/** Milliseconds until inventories, logins and the compiler are done. */
const settleTime = 15_000

const folder = mkdtempSync(join(tmpdir(), 'real-agents-'))
const program = join(folder, 'fleet-agent.js')
writeFileSync(program, await bundleAgent())
const addressOf = (index: number) => `127.8.${Math.floor(index / 250)}.${(index % 250) + 1}`
const processes: ChildProcess[] = []

function start(...args: string[]): number {
  const child = spawn(process.execPath, args, { stdio: 'ignore' })
  processes.push(child)
  return child.pid ?? 0
}

const startDaemon = (port: number) =>
  startProgram(folder, {
    options: { agents: { ip: '127.0.0.1', port }, store: { adapter: 'memory' }, limits: { response: 4_000_000 } },
    env: { FLEET_API_TOKEN: token },
  })

/** Resolves to the agents' port when the daemon listens, also when hundreds of agents try to connect and keep it waiting. */
async function portOf(daemon: Program): Promise<number> {
  let isRunning = true
  void daemon.ended.then(() => {
    isRunning = false
  })
  for (;;) {
    try {
      return await daemon.agentsPort()
    } catch (error) {
      if (!isRunning) throw error
    }
  }
}

/** Resolves when so many clients have executed the first refresh. */
async function connected(daemon: Program, expected: number): Promise<void> {
  for (;;) {
    const { clients } = (await daemon.call(token, 'GET /clients')).json
    if (clients.filter(({ status }: { status: string }) => status === 'linux').length >= expected) return
    await wait(pollTime)
  }
}

/** Mebibytes: resident, and the share of what several processes use together. */
function memoryOf(pid: number): { resident: number; proportional: number } {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text)?.[1]) / 1024
  return { resident: read('Rss'), proportional: read('Pss') }
}

/** Milliseconds of processor time, with that of the programs that it has run. */
async function timeOf(pid: number): Promise<number> {
  // The name of the program is in parentheses and may contain spaces; the fields after it are counted from 3.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  const [user = 0, system = 0] = fields.slice(16 - 3, 18 - 3).map(Number)
  return (await cpuOf(pid)) + (user + system) * tick
}

interface Usage {
  resident: number
  proportional: number
  /** Percent of one processor. */
  cpu: number
}

async function measure(groups: number[][]): Promise<Usage[]> {
  const before = await Promise.all(groups.map(pids => Promise.all(pids.map(timeOf))))
  const began = performance.now()
  await wait(seconds * 1000)
  const after = await Promise.all(groups.map(pids => Promise.all(pids.map(timeOf))))
  const time = performance.now() - began
  return groups.map((pids, group) => {
    const memories = pids.map(memoryOf)
    const shares = pids.map((_, at) => (((after[group]?.[at] ?? 0) - (before[group]?.[at] ?? 0)) / time) * 100)
    return {
      resident: median(memories.map(({ resident }) => resident)),
      proportional: median(memories.map(({ proportional }) => proportional)),
      cpu: shares.reduce((sum, share) => sum + share, 0) / shares.length,
    }
  })
}

async function startAgents(daemon: Program, port: number): Promise<number[]> {
  const agents: number[] = []
  for (let index = 0; index < count; index += 1) {
    const options = ['--server', '127.0.0.1', '--port', String(port), '--local-address', addressOf(index)]
    agents.push(start(program, ...options, '--poweroff-command', 'false', '--reboot-command', 'false'))
    if (index % atOnce === atOnce - 1) await connected(daemon, index + 1)
  }
  await connected(daemon, count)
  return agents
}

async function run(): Promise<Row[]> {
  const first = startDaemon(0)
  const port = await portOf(first)
  const began = performance.now()
  const agents = await startAgents(first, port)
  const startTime = (performance.now() - began) / 1000
  const bare = Array.from({ length: bareCount }, () => start('-e', 'setInterval(()=>{},1e9)'))
  await wait(settleTime)
  const [agent, node] = await measure([agents, bare])
  if (!agent || !node) throw new Error('expected two groups of processes')
  const { resident, proportional, cpu } = agent
  const most = (max: number) => [{ of: 'value', max } as const]
  const idle = { figure: 'idle processor time of an agent, with its programs', measured: cpu, unit: '%' }
  const rows: Row[] = [
    {
      figure: 'resident memory of an agent',
      measured: resident,
      unit: 'MiB',
      baseline: node.resident,
      targets: most(60),
    },
    { figure: 'of it, its share with the others', measured: proportional, unit: 'MiB', baseline: node.proportional },
    { ...idle, baseline: node.cpu, targets: most(0.1) },
    { figure: `start of ${count} agents`, measured: startTime, unit: 's' },
  ]
  // Also what has been measured when the rest fails.
  console.log(table(rows))
  first.kill('SIGKILL')
  await first.ended
  const killed = performance.now()
  const second = startDaemon(port)
  await portOf(second)
  const ready = performance.now()
  await connected(second, count)
  const connectTime = (performance.now() - ready) / 1000
  const startAgain = (ready - killed) / 1000
  second.kill('SIGTERM')
  await second.ended
  return [
    { figure: 'start of the next daemon meanwhile', measured: startAgain, unit: 's' },
    { figure: 'then until all are connected', measured: connectTime, unit: 's' },
  ]
}

try {
  console.log(table(await run()))
} finally {
  await Promise.all(
    processes.map(async child => {
      const ended = once(child, 'exit')
      if (child.kill('SIGKILL')) await ended
    }),
  )
  rmSync(folder, { recursive: true, force: true })
}
