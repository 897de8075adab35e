// Measures the daemon's memory per agent: connected and refreshed, and after three more replies.
import { atMost, count, type Measurement, medians, repeat } from '../measurement.ts'
import type { Agents } from '../processes/agents.ts'
import { atOnce, type Bench, withBench } from '../processes/bench.ts'
import { addressesOf, script } from '../processes/computers.ts'
import { forwardAndWait } from '../processes/filled-daemon.ts'
import type { MeasuredDaemon } from '../processes/measured-daemon.ts'
import { memoryOf } from '../processes/process-usage.ts'

/** Each round starts a new daemon, as a process seldom returns memory to the kernel. */
const rounds = { warm: 0, rounds: 3 }
/** The target applies to this number of agents. */
const target = { agents: 10_000, bytes: 14_000 }

export const memory: Measurement = {
  name: 'memory',
  sizes: [1_000, 10_000],
  async run(_, size) {
    const { idle, idleHeap, replied, repliedHeap } = medians(
      await repeat(rounds, () => withBench(bench => measure(bench, size))),
    )
    const name = `memory per agent of ${count(size)}`
    const targets = atMost(size === target.agents ? target.bytes : undefined)
    return [
      { figure: `${name}, idle: resident`, measured: idle, unit: 'bytes' },
      { figure: `${name}, idle: in use`, measured: idleHeap, unit: 'bytes' },
      { figure: `${name}, three replies: resident`, measured: replied, unit: 'bytes', targets },
      { figure: `${name}, three replies: in use`, measured: repliedHeap, unit: 'bytes' },
    ]
  },
}

async function measure(bench: Bench, size: number) {
  const daemon = await bench.startedAgain(size)
  const agents = bench.child<Agents>('agents.ts')
  // Memory that the first agents allocate once does not count.
  await agents.ask('connect', { port: daemon.ports.agents, count: 100, atOnce, round: 0 })
  await daemon.waitForClients(100)
  await agents.ask('leave')
  await daemon.waitForClients(0)
  const before = await memoryUsed(daemon)
  await agents.ask('connect', { port: daemon.ports.agents, count: size, atOnce, round: 1 })
  await daemon.waitForClients(size)
  const idle = await memoryUsed(daemon)
  const clients = addressesOf(size)
  for (let reply = 0; reply < 3; reply += 1) await forwardAndWait(daemon, 'POST /shell/run', { clients, ...script })
  const replied = await memoryUsed(daemon)
  return {
    idle: (idle.resident - before.resident) / size,
    idleHeap: (idle.heap - before.heap) / size,
    replied: (replied.resident - before.resident) / size,
    repliedHeap: (replied.heap - before.heap) / size,
  }
}

/** Collects garbage first, so that resident memory is memory in use. */
async function memoryUsed(daemon: MeasuredDaemon) {
  const heap = await daemon.inspect('heap')
  return { heap, resident: memoryOf(daemon.pid) }
}
