// Measures many of the agents for Linux on one machine: memory and processor time of one, beside a Node that does nothing,
// and how long all of them take to connect, and to connect again to a daemon that was killed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { bundleAgent } from '../../../../host/linux-agent/service.ts'
import { type Program, startProgram } from '../../../harness/daemon-process.ts'
import { token } from '../../../harness/rest-call.ts'
import { atMost, type Measurement, medians, type Row } from '../measurement.ts'
import type { Bench } from '../processes/bench.ts'
import { cpuOf } from '../processes/process-usage.ts'

/** Programs that are started at the same time, and programs that do nothing. */
const atOnce = 20
const bareCount = 20
const pollTime = 100 // ms
/** Milliseconds of a clock tick, in which the kernel counts the time of programs that have ended. */
const tick = 10
/** Milliseconds until inventories, logins and the compiler are done. */
const settleTime = 15_000

const addressOf = (index: number) => `127.8.${Math.floor(index / 250)}.${(index % 250) + 1}`

const startDaemon = (folder: string, port: number) =>
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

/** Medians of what each process of the groups needs; `cpu`: percent of one processor. */
async function measure(groups: number[][], seconds: number) {
  const timesOf = () => Promise.all(groups.map(pids => Promise.all(pids.map(timeOf))))
  const before = await timesOf()
  const began = performance.now()
  await wait(seconds * 1000)
  const after = await timesOf()
  const time = performance.now() - began
  return groups.map((pids, group) => {
    const shares = pids.map((_, at) => (((after[group]?.[at] ?? 0) - (before[group]?.[at] ?? 0)) / time) * 100)
    return { ...medians(pids.map(memoryOf)), cpu: shares.reduce((sum, share) => sum + share, 0) / shares.length }
  })
}

/** Returns the function that starts a Node with these arguments, and the folder of the agent's program. */
async function prepare(bench: Bench) {
  const folder = mkdtempSync(join(tmpdir(), 'real-agents-'))
  bench.atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const program = join(folder, 'fleet-agent.js')
  writeFileSync(program, await bundleAgent())
  const start = (...args: string[]): number => {
    const child = spawn(process.execPath, args, { stdio: 'ignore' })
    bench.atEnd(async () => {
      const ended = once(child, 'exit')
      if (child.kill('SIGKILL')) await ended
    })
    return child.pid ?? 0
  }
  return { folder, program, start }
}

export const realAgents: Measurement = {
  name: 'real-agents',
  sizes: [500],
  async run(bench, count, { seconds = 60 }): Promise<Row[]> {
    const { folder, program, start } = await prepare(bench)
    const first = startDaemon(folder, 0)
    bench.atEnd(() => first.kill('SIGKILL'))
    const port = await portOf(first)
    const began = performance.now()
    const agents: number[] = []
    for (let index = 0; index < count; index += 1) {
      const options = ['--server', '127.0.0.1', '--port', String(port), '--local-address', addressOf(index)]
      agents.push(start(program, ...options, '--poweroff-command', 'false', '--reboot-command', 'false'))
      if (index % atOnce === atOnce - 1) await connected(first, index + 1)
    }
    await connected(first, count)
    const startTime = (performance.now() - began) / 1000
    const bare = Array.from({ length: bareCount }, () => start('-e', 'setInterval(()=>{},1e9)'))
    await wait(settleTime)
    const [agent, node] = await measure([agents, bare], seconds)
    if (!agent || !node) throw new Error('expected two groups of processes')
    first.kill('SIGKILL')
    await first.ended
    const killed = performance.now()
    const second = startDaemon(folder, port)
    bench.atEnd(() => second.kill('SIGKILL'))
    await portOf(second)
    const ready = performance.now()
    await connected(second, count)
    const connectTime = (performance.now() - ready) / 1000
    second.kill('SIGTERM')
    await second.ended
    const row = (figure: string, key: keyof typeof agent, unit: string, targets = atMost()): Row => ({
      figure,
      measured: agent[key],
      unit,
      baseline: node[key],
      targets,
    })
    return [
      row('resident memory of an agent', 'resident', 'MiB', atMost(60)),
      row('of it, its share with the others', 'proportional', 'MiB'),
      row('idle processor time of an agent, with its programs', 'cpu', '%', atMost(0.1)),
      { figure: `start of ${count} agents`, measured: startTime, unit: 's' },
      { figure: 'start of the next daemon meanwhile', measured: (ready - killed) / 1000, unit: 's' },
      { figure: 'then until all are connected', measured: connectTime, unit: 's' },
    ]
  },
}
