// Compares this version with another checkout: processor time of a command to many agents and of their replies, in turns
// in one process, so that what else the machine does concerns both.
//
//   node --import tsx test/tools/bench/compare-fan-outs.ts --base DIR [--agents 100] [--rounds 60]
//
// DIR has another checkout with its `node_modules`. The agents are in processes of their own.
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { call } from '../../harness/rest-call.ts'
import { inTurns } from './in-turns.ts'
import { median } from './measurement.ts'
import type { Agents } from './processes/agents.ts'
import { type Child, startChild } from './processes/child-process.ts'
import { computerSpecOf } from './processes/computers.ts'
import { type HostVersion, startVersion } from './processes/host-version.ts'

const root = new URL('../../..', import.meta.url).pathname
const script = { run: 'uname -a', echo: true }
/** Rounds that are not counted, until the code is compiled. */
const warmUpRounds = 30
/** Milliseconds. */
const pollTime = 5
const atOnce = 50

interface Lab {
  version: HostVersion
  agents: Child<Agents>
  clients: string[]
}

/** Milliseconds of processor time. */
interface Costs {
  command: number
  replies: number
}

async function startLab(folder: string, size: number): Promise<Lab> {
  const version = await startVersion(folder, size, 'lowdb')
  const agents = startChild<Agents>('agents.ts')
  await agents.ask('connect', { port: version.agentPort, count: size, atOnce, round: 0 })
  const clients = Array.from({ length: size }, (_, index) => computerSpecOf(index).ip)
  while ((await call(version.port, 'GET /clients')).json.clients.length < size) await wait(pollTime)
  return { version, agents, clients }
}

/** Measures until all agents have the script and the caller its response, then until all replies are stored. */
async function forward({ version: { port }, agents, clients }: Lab): Promise<Costs> {
  await agents.ask('hold')
  const began = process.cpuUsage()
  const [{ status }] = await Promise.all([
    call(port, 'POST /shell/run', { clients, ...script }),
    agents.ask('received'),
  ])
  if (status !== 200) throw new Error(`POST /shell/run: expected 200, got ${status}`)
  const command = millisecondsSince(began)
  const released = process.cpuUsage()
  await agents.ask('release')
  for (let success = 0; success < clients.length; ) {
    await wait(pollTime)
    success = (await call(port, 'GET /jobs?limit=1')).json.jobs[0].counts.success
  }
  return { command, replies: millisecondsSince(released) }
}

function millisecondsSince(began: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1000
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      base: { type: 'string' },
      agents: { type: 'string', default: '100' },
      rounds: { type: 'string', default: '60' },
    },
  })
  const [size, rounds] = [Number(values.agents), Number(values.rounds)]
  if (values.base === undefined || !(size > 0) || !(rounds > 0)) {
    console.error(
      'usage: node --import tsx test/tools/bench/compare-fan-outs.ts --base DIR [--agents 100] [--rounds 60]',
    )
    process.exitCode = 2
    return
  }
  const labs: Lab[] = []
  try {
    for (const folder of [values.base, root]) labs.push(await startLab(folder, size))
    const [base, present] = labs
    if (!base || !present) return
    const costs = await inTurns(
      { rounds, warmUpRounds },
      () => forward(base),
      () => forward(present),
    )
    console.log('| processor time | base | present | ratio |\n|---|---|---|---|')
    for (const key of ['command', 'replies'] as const) {
      const [old, now] = [median(costs.map(each => each.base[key])), median(costs.map(each => each.present[key]))]
      const ratio = median(costs.map(each => each.present[key] / each.base[key]))
      console.log(`| ${key}, ${size} agents | ${old.toFixed(2)} ms | ${now.toFixed(2)} ms | ${ratio.toFixed(3)} |`)
    }
  } finally {
    for (const { version, agents } of labs) await Promise.all([agents.stop(), version.stop()])
  }
}

await main()
