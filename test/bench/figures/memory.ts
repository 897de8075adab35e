// What an agent takes of the daemon's memory: connected and refreshed, and after three more answers.
import { count, type Figure, medians, type Options, type Row, repeat } from '../figure.ts'
import type { Agents } from '../sides/agents.ts'
import { startChild } from '../sides/child.ts'
import { memoryOf } from '../sides/cpu.ts'
import { forwarded } from '../sides/lived-in.ts'
import { type Measured, startMeasured } from '../sides/measured.ts'
import { seatOf } from '../sides/seats.ts'

const sizes = [1_000, 10_000]
/** Each has a daemon of its own, as memory that was used once is seldom given back. */
const rounds = { warm: 0, rounds: 3 }
const atOnce = 500
/** Bytes; the target is for the largest fleet. */
const most = { agents: 10_000, bytes: 14_000 }
const script = { run: 'uname -a', echo: true }

export const memory: Figure = {
  name: 'memory',
  async run({ agents }: Options) {
    const rows: Row[] = []
    for (const size of sizes.filter(size => size <= (agents ?? size))) {
      const keys = ['idle', 'idleHeap', 'answered', 'answeredHeap'] as const
      const { idle, idleHeap, answered, answeredHeap } = medians(await repeat(rounds, () => measure(size)), ...keys)
      const name = `memory an agent of ${count(size)}`
      rows.push(
        { figure: `${name}, idle: resident`, measured: idle, unit: 'bytes' },
        { figure: `${name}, idle: in use`, measured: idleHeap, unit: 'bytes' },
        {
          ...{ figure: `${name}, three answers: resident`, measured: answered, unit: 'bytes' },
          ...(size === most.agents && { targets: [{ of: 'value', most: most.bytes }] }),
        },
        { figure: `${name}, three answers: in use`, measured: answeredHeap, unit: 'bytes' },
      )
    }
    return rows
  },
}

async function measure(size: number) {
  // What was used to add the computers is no part of it.
  const filled = await startMeasured(size)
  await filled.stop('keep')
  const daemon = await startMeasured(size, filled.folder)
  const agents = startChild<Agents>('agents.ts')
  try {
    // What is made once, by the first agents, is not an agent's.
    await agents.ask('connect', { port: daemon.ports.agents, count: 100, atOnce, round: 0 })
    await daemon.ready(100)
    await agents.ask('leave')
    await daemon.ready(0)
    const before = await used(daemon)
    await agents.ask('connect', { port: daemon.ports.agents, count: size, atOnce, round: 1 })
    await daemon.ready(size)
    const idle = await used(daemon)
    const clients = Array.from({ length: size }, (_, index) => seatOf(index).ip)
    for (let answer = 0; answer < 3; answer += 1) await forwarded(daemon, 'POST /shell/run', { clients, ...script })
    const answered = await used(daemon)
    return {
      ...{ idle: (idle.resident - before.resident) / size, idleHeap: (idle.heap - before.heap) / size },
      answered: (answered.resident - before.resident) / size,
      answeredHeap: (answered.heap - before.heap) / size,
    }
  } finally {
    await agents.stop()
    await daemon.stop()
  }
}

/** The heap is collected first, so that what is resident is not what waits for it. */
async function used(daemon: Measured) {
  const heap = await daemon.probe('heap')
  return { heap, resident: memoryOf(daemon.pid) }
}
