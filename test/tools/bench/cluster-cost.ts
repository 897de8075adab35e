// What the option `cluster` costs a single host: processor time of a command to all agents, events that are lost, and
// memory after the agents have left; in turns with a daemon without it, each with a private PostgreSQL.
//
// `node --import tsx test/tools/bench/cluster-cost.ts [--computers 10000] [--rounds 5]`
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { readEvents } from '../../harness/event-reader.ts'
import { type FleetProcesses, startFleet } from '../../harness/fleet-processes.ts'
import { median } from './measurement.ts'
import type { Agents } from './processes/agents.ts'
import { type Child, startChild } from './processes/child-process.ts'
import { computerSpecOf } from './processes/computers.ts'

const { values } = parseArgs({
  options: { computers: { type: 'string', default: '10000' }, rounds: { type: 'string', default: '5' } },
})
const computers = Number(values.computers)
const rounds = Number(values.rounds)
const clients = Array.from({ length: computers }, (_, index) => computerSpecOf(index).ip)
const pollTime = 250 // ms
/** Time for what follows a command: events that are read back, rows of the presence. */
const settleTime = 2_000 // ms
/** Time after which memory is measured again, when the agents have left. */
const emptyTime = 20_000 // ms

interface Side {
  name: string
  fleet: FleetProcesses
  agents: Child<Agents>
  /** Seconds of processor time of each round. */
  seconds: number[]
  events: number
  missing: number
}

async function open(name: string, cluster: object | undefined): Promise<Side> {
  const limits = { request: 1_000_000, response: 4_000_000 }
  const fleet = await startFleet({
    count: 1,
    leaseSeconds: 6,
    options: { limits, ...(cluster ?? { cluster: undefined }) },
  })
  const agents = startChild<Agents>('agents.ts')
  for (let from = 0; from < computers; from += 2000) await fleet.addComputers(clients.slice(from, from + 2000))
  const [host] = fleet.hosts
  await agents.ask('connect', { port: host?.agents ?? 0, count: computers, atOnce: 500, round: 0 })
  await wait(settleTime)
  return { name, fleet, agents, seconds: [], events: 0, missing: 0 }
}

/** Seconds of processor time of a process so far. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
    .map(Number)
  return ((fields[11] ?? 0) + (fields[12] ?? 0)) / 100
}

const megabytesOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

/** One script for all, until its job has ended and every event was read. */
async function command({ fleet, agents, seconds, ...side }: Side): Promise<Pick<Side, 'events' | 'missing'>> {
  const [host] = fleet.hosts
  if (!host) return side
  const reader = await readEvents(host.rest, '?types=job-part,events-missing')
  const before = cpuOf(host.program.pid)
  await agents.ask('expect')
  const { headers } = await host.call('POST /shell/run', { clients, run: 'uname -a', echo: true })
  const isOpen = async () => {
    const [job] = (await host.call('GET /jobs?limit=1')).json.jobs
    return String(job?.id) !== headers['x-job-id'] || job.counts.success < computers
  }
  while (await isOpen()) await wait(pollTime)
  await wait(settleTime)
  seconds.push(cpuOf(host.program.pid) - before)
  const count = (type: string) => reader.events.filter(event => event.type === type).length
  const counts = { events: side.events + count('job-part'), missing: side.missing + count('events-missing') }
  reader.close()
  return counts
}

const sides = [await open('alone', undefined), await open('cluster', { cluster: { name: 'a', lease_seconds: 6 } })]
try {
  const used = sides.map(({ fleet }) => megabytesOf(fleet.hosts[0]?.program.pid ?? 0))
  for (let round = 0; round < rounds; round += 1) {
    for (const side of sides) Object.assign(side, await command(side))
  }
  const after = sides.map(({ fleet }) => megabytesOf(fleet.hosts[0]?.program.pid ?? 0))
  await Promise.all(sides.map(({ agents }) => agents.ask('leave')))
  await wait(emptyTime)
  for (const [index, { name, fleet, seconds, events, missing }] of sides.entries()) {
    const left = megabytesOf(fleet.hosts[0]?.program.pid ?? 0)
    const memory = `${used[index]?.toFixed(0)} MB before, ${after[index]?.toFixed(0)} after, ${left.toFixed(0)} when all have left`
    console.log(
      `${name}: ${median(seconds).toFixed(2)} s of processor time for a command, ${events} of ${computers * rounds} events job-part, events-missing ${missing}; ${memory}`,
    )
  }
  const [alone, cluster] = sides.map(({ seconds }) => median(seconds))
  console.log(`ratio ${((cluster ?? 0) / (alone ?? 1)).toFixed(2)}`)
} finally {
  for (const { agents, fleet } of sides) {
    await agents.stop()
    await fleet.end()
  }
}
