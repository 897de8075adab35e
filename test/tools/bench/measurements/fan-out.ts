// Measures one script for many agents: time to the last receipt, time to the last stored reply, and CPU.
import { Agent as Connections } from 'node:http'
import { join } from 'node:path'
import { count, type Measurement, medians, repeat, timesBaseline } from '../measurement.ts'
import type { Agents } from '../processes/agents.ts'
import type { BaselineAgents } from '../processes/baseline-agents.ts'
import { type Child, now } from '../processes/child-process.ts'
import { addressesOf, script, scriptBytes } from '../processes/computers.ts'
import { waitForJob } from '../processes/filled-daemon.ts'
import { ask, type MeasuredDaemon } from '../processes/measured-daemon.ts'
import { cpuOf } from '../processes/process-usage.ts'

/** More rounds where a round is short. */
const roundsOf = (size: number) => (size <= 1_000 ? { warm: 15, rounds: 25 } : { warm: 7, rounds: 9 })

export const fanOut: Measurement = {
  name: 'fan-out',
  sizes: [100, 1_000, 4_000, 10_000],
  async run(bench, size, { profile }) {
    const daemon = await bench.daemon(size)
    const agents = await bench.agentsOf(daemon, size)
    const sender = bench.child<BaselineAgents>('baseline-agents.ts')
    const bareAgents = await bench.bareAgents(await sender.ask('listen'), size)
    const connections = new Connections({ keepAlive: true })
    bench.atEnd(() => connections.destroy())
    const clients = addressesOf(size)
    const file = join(daemon.folder, 'requests')
    const port = await sender.ask('listenForCaller', { file, text: scriptBytes, count: size })
    const cost = (send: () => Promise<unknown>) => costOf(sender.pid, bareAgents, send)
    const rounds = await repeat(roundsOf(size), async () => {
      const { stored, storing, ...own } = await forward(daemon, agents, clients)
      const bare = await cost(() => sender.ask('send', scriptBytes))
      const http = await cost(() => ask(connections, port, 'POST /shell/run', { clients, ...script }))
      return { ...own, stored, storing, bareReceived: bare.received, bareCpu: bare.cpu, httpCpu: http.cpu }
    })
    await daemon.withProfile(profile, `fan-out-${size}`, async () => {
      for (let round = 0; round < 5; round += 1) await forward(daemon, agents, clients)
    })
    const { received, cpu, stored, storing, bareReceived, bareCpu, httpCpu } = medians(rounds)
    const name = `fan-out to ${count(size)}`
    return [
      { figure: `${name}: last receipt`, measured: received, unit: 'ms', baseline: bareReceived },
      { figure: `${name}: CPU`, measured: cpu, unit: 'ms', baseline: bareCpu, targets: timesBaseline(1.4) },
      { figure: `${name}: CPU, baseline 2`, measured: cpu, unit: 'ms', baseline: httpCpu },
      { figure: `${name}: last reply stored`, measured: stored, unit: 'ms' },
      { figure: `${name}: CPU of the replies`, measured: storing, unit: 'ms' },
    ]
  },
}

/** Measures until all agents have the request and its caller the response. */
async function costOf(pid: number, agents: Child<Agents>, send: () => Promise<unknown>) {
  await agents.ask('hold')
  const before = await cpuOf(pid)
  const began = now()
  const response = send()
  const received = (await agents.ask('received')) - began
  await response
  return { received, cpu: (await cpuOf(pid)) - before }
}

/** The same of a script that the daemon sends, and then until all replies are stored. */
export async function forward(daemon: MeasuredDaemon, agents: Child<Agents>, clients: string[]) {
  const sent = await costOf(daemon.pid, agents, () => daemon.call('POST /shell/run', { clients, ...script }))
  const before = await cpuOf(daemon.pid)
  const released = await agents.ask('release')
  await waitForJob(daemon, 'POST /shell/run', 2)
  return { ...sent, stored: sent.received + now() - released, storing: (await cpuOf(daemon.pid)) - before }
}
