// The figures of a fleet of three hosts: relayed commands, fan-out, merged lists and boot storms.
import { setTimeout as wait } from 'node:timers/promises'
import { connectAgent } from '../../../../host/test-kit/simulated-agent.ts'
import { type FleetHost, type FleetProcesses, startFleet } from '../../../harness/fleet-processes.ts'
import { call } from '../../../harness/rest-call.ts'
import { atMost, count, type Measurement, median, medians, type Row } from '../measurement.ts'
import type { Agents } from '../processes/agents.ts'
import { type Child, now } from '../processes/child-process.ts'
import { addressesOf, computerSpecOf, script } from '../processes/computers.ts'
import { requireOpenFiles } from '../processes/system-limits.ts'

const hostCount = 3
/** More than by default, as all hosts and all agents share the processor here. */
const [leaseSeconds, answerSeconds] = [60, 300]
const relayRounds = 200
const fanOutRounds = 7
const listRounds = 40
const pollTime = 5 // ms
/** Milliseconds for each computer: lists of all of them take the hosts' time. */
const readPause = 0.02

export const severalHosts: Measurement = {
  name: 'several-hosts',
  sizes: [10_000, 57_000],
  most: 10_000,
  async run(bench, computers) {
    requireOpenFiles(Math.ceil(computers / hostCount))
    const options = {
      agents: { ip: '127.0.0.1', port: 0, unknown: computers, connections: 2 * computers },
      limits: { request: 100 * computers, response: 400 * computers, answer_seconds: answerSeconds },
    }
    const fleet = await startFleet({ count: hostCount, leaseSeconds, options })
    bench.atEnd(() => fleet.end())
    const groups = fleet.hosts.map(() => bench.child<Agents>('agents.ts'))
    const clients = addressesOf(computers)
    for (let from = 0; from < computers; from += 2000) await fleet.addComputers(clients.slice(from, from + 2000))
    const storm = await bootStorm(fleet, groups, computers)
    return [
      ...(await relay(fleet.hosts)),
      ...(await fanOut(fleet, groups, clients)),
      ...(await lists(fleet.hosts, computers)),
      ...storm,
    ]
  },
}

/** All agents connect at once, a third of them to each host. */
async function bootStorm(fleet: FleetProcesses, groups: Child<Agents>[], computers: number): Promise<Row[]> {
  const began = now()
  const share = Math.ceil(computers / groups.length)
  await Promise.all(
    groups.map((group, index) =>
      group.ask('connect', {
        port: fleet.hosts[index]?.agents ?? 0,
        first: index * share,
        count: Math.min(share, computers - index * share),
        atOnce: share,
        round: 0,
      }),
    ),
  )
  // The result of a client's last command is set when its reply is on disk.
  const isRefreshed = ({ last_cmd }: { last_cmd: { result: string } }) => last_cmd.result === 'success'
  for (const host of fleet.hosts) {
    while ((await clientsOf(host)).filter(isRefreshed).length < computers) await wait(computers * readPause)
  }
  const name = `boot storm of ${count(computers)} over ${hostCount} hosts`
  return [{ figure: `${name}: inventory stored, listed everywhere`, measured: now() - began, unit: 'ms' }]
}

type Client = { addr: string; last_cmd: { result: string } }

const clientsOf = async (host: FleetHost): Promise<Client[]> => (await host.call('GET /clients')).json.clients

/** One script for one client of host b, asked for at host a and at host b: until its agent has received it. */
async function relay([a, b]: FleetHost[]): Promise<Row[]> {
  if (!a || !b) return []
  let received = 0
  const onScript = () => {
    received = now()
    return { status: 200, body: { out: '' } }
  }
  const addr = '127.99.0.1'
  const agent = await connectAgent({ port: b.agents, addr, auto: { '/shell/run': onScript }, keep: false })
  while (!(await clientsOf(a)).some(client => client.addr === addr)) await wait(pollTime)
  const time = async (host: FleetHost) => {
    const began = now()
    const { status } = await call(host.rest, 'POST /shell/run', { clients: [addr], ...script })
    if (status !== 200) throw new Error(`POST /shell/run: expected 200, got ${status}`)
    const responded = now() - began
    await wait(20)
    return { receipt: received - began, response: responded }
  }
  const [relayed, local]: [Times[], Times[]] = [[], []]
  for (let round = 0; round < relayRounds; round += 1) {
    relayed.push(await time(a))
    local.push(await time(b))
  }
  await agent.close()
  const [own, other] = [medians(local), medians(relayed)]
  const row = (key: keyof Times, targets = atMost()): Row => ({
    figure: `script for a client of another host: ${key}`,
    measured: other[key],
    unit: 'ms',
    baseline: own[key],
    targets,
  })
  return [row('receipt', atMost(10)), row('response')]
}

type Times = Record<'receipt' | 'response', number>

async function fanOut(fleet: FleetProcesses, groups: Child<Agents>[], clients: string[]): Promise<Row[]> {
  const [a] = fleet.hosts
  if (!a) return []
  const [receipts, ends]: [number[], number[]] = [[], []]
  for (let round = 0; round < fanOutRounds; round += 1) {
    await Promise.all(groups.map(group => group.ask('hold')))
    const began = now()
    const response = a.call('POST /shell/run', { clients, ...script })
    receipts.push(Math.max(...(await Promise.all(groups.map(group => group.ask('received'))))) - began)
    const job = Number((await response).headers['x-job-id'])
    const released = now()
    await Promise.all(groups.map(group => group.ask('release')))
    const open = async () => {
      const { counts } = (await a.call(`GET /jobs/${job}`)).json
      return counts.queued + counts.sent > 0
    }
    while (await open()) await wait(pollTime)
    ends.push(now() - released)
  }
  const name = `fan-out to ${count(clients.length)} over ${hostCount} hosts`
  return [
    { figure: `${name}: last receipt`, measured: median(receipts), unit: 'ms' },
    { figure: `${name}: last reply stored`, measured: median(ends), unit: 'ms' },
  ]
}

/** The list of all clients, of which two thirds are of other hosts; after a change of one of them. */
async function lists([a]: FleetHost[], computers: number): Promise<Row[]> {
  if (!a) return []
  const times: number[] = []
  for (let round = 0; round < listRounds; round += 1) {
    await a.call('POST /probe', { clients: [computerSpecOf(computers - 1 - round).ip] })
    await wait(100)
    const began = now()
    await clientsOf(a)
    times.push(now() - began)
  }
  return [{ figure: `GET /clients of ${count(computers)}, merged`, measured: median(times), unit: 'ms' }]
}
