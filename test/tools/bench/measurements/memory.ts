// Measures the daemon's memory per agent: connected and refreshed, and after three more replies.
import { count, type Measurement, medians, type Options, type Row, repeat } from '../measurement.ts'
import type { Agents } from '../processes/agents.ts'
import { startChild } from '../processes/child-process.ts'
import { computerSpecOf } from '../processes/computers.ts'
import { forwardAndWait } from '../processes/filled-daemon.ts'
import { type MeasuredDaemon, startMeasuredDaemon } from '../processes/measured-daemon.ts'
import { memoryOf } from '../processes/process-usage.ts'

const sizes = [1_000, 10_000]
/** Each round starts a new daemon, as a process seldom returns memory to the kernel. */
const rounds = { warm: 0, rounds: 3 }
const atOnce = 500
/** The target applies to this number of agents. */
const target = { agents: 10_000, bytes: 14_000 }
const script = { run: 'uname -a', echo: true }

export const memory: Measurement = {
  name: 'memory',
  async run({ agents }: Options) {
    const rows: Row[] = []
    for (const size of sizes.filter(size => size <= (agents ?? size))) {
      const keys = ['idle', 'idleHeap', 'replied', 'repliedHeap'] as const
      const { idle, idleHeap, replied, repliedHeap } = medians(await repeat(rounds, () => measure(size)), ...keys)
      const name = `memory per agent of ${count(size)}`
      rows.push(
        { figure: `${name}, idle: resident`, measured: idle, unit: 'bytes' },
        { figure: `${name}, idle: in use`, measured: idleHeap, unit: 'bytes' },
        {
          figure: `${name}, three replies: resident`,
          measured: replied,
          unit: 'bytes',
          ...(size === target.agents && { targets: [{ of: 'value', max: target.bytes }] }),
        },
        { figure: `${name}, three replies: in use`, measured: repliedHeap, unit: 'bytes' },
      )
    }
    return rows
  },
}

async function measure(size: number) {
  // Add the computers in an earlier process, so that their memory does not count.
  const filled = await startMeasuredDaemon(size)
  await filled.stop('keep')
  const daemon = await startMeasuredDaemon(size, filled.folder)
  const agents = startChild<Agents>('agents.ts')
  try {
    // Memory that the first agents allocate once does not count.
    await agents.ask('connect', { port: daemon.ports.agents, count: 100, atOnce, round: 0 })
    await daemon.waitForClients(100)
    await agents.ask('leave')
    await daemon.waitForClients(0)
    const before = await memoryUsed(daemon)
    await agents.ask('connect', { port: daemon.ports.agents, count: size, atOnce, round: 1 })
    await daemon.waitForClients(size)
    const idle = await memoryUsed(daemon)
    const clients = Array.from({ length: size }, (_, index) => computerSpecOf(index).ip)
    for (let reply = 0; reply < 3; reply += 1) await forwardAndWait(daemon, 'POST /shell/run', { clients, ...script })
    const replied = await memoryUsed(daemon)
    return {
      idle: (idle.resident - before.resident) / size,
      idleHeap: (idle.heap - before.heap) / size,
      replied: (replied.resident - before.resident) / size,
      repliedHeap: (replied.heap - before.heap) / size,
    }
  } finally {
    await agents.stop()
    await daemon.stop()
  }
}

/** Collects garbage first, so that resident memory is memory in use. */
async function memoryUsed(daemon: MeasuredDaemon) {
  const heap = await daemon.inspect('heap')
  return { heap, resident: memoryOf(daemon.pid) }
}
