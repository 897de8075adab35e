// How long the daemon's event loop is held up at a stretch, in a fan-out and in a boot storm.
import { type Figure, medians, type Row, repeat } from '../figure.ts'
import type { Agents } from '../sides/agents.ts'
import { type Child, startChild } from '../sides/child.ts'
import { forwarded } from '../sides/lived-in.ts'
import { type Measured, startMeasured } from '../sides/measured.ts'
import { seatOf } from '../sides/seats.ts'
import { switchOn } from './storm.ts'

const fanOut = 4_000
const storm = 1_000
const atOnce = 500
const rounds = { warm: 2, rounds: 5 }
const most = 25 // ms

export const stalls: Figure = {
  name: 'stalls',
  async run(options) {
    const size = Math.min(fanOut, options.agents ?? fanOut)
    return [
      ...(await measure(`fan-out to ${size}`, size, async (daemon, agents, round) => {
        if (round === 0) {
          await agents.ask('connect', { port: daemon.ports.agents, count: size, atOnce, round: 0 })
          await daemon.ready(size)
        }
        const clients = Array.from({ length: size }, (_, index) => seatOf(index).ip)
        return watched(daemon, () => forwarded(daemon, 'POST /shell/run', { clients, run: 'uname -a', echo: true }))
      })),
      ...(await measure(`boot storm of ${storm}`, storm, (daemon, agents, round) =>
        watched(daemon, () => switchOn(daemon, agents, storm, round)),
      )),
    ]
  },
}

type Delays = Record<'longest' | 'p99', number>

async function measure(
  name: string,
  size: number,
  run: (daemon: Measured, agents: Child<Agents>, round: number) => Promise<Delays>,
): Promise<Row[]> {
  const daemon = await startMeasured(size)
  const agents = startChild<Agents>('agents.ts')
  try {
    const { longest, p99 } = medians(await repeat(rounds, round => run(daemon, agents, round)), 'longest', 'p99')
    const targets = [{ of: 'value', most } as const]
    return [
      { figure: `${name}: longest stall`, measured: longest, unit: 'ms', targets },
      { figure: `${name}: event-loop delay, p99`, measured: p99, unit: 'ms' },
    ]
  } finally {
    await agents.stop()
    await daemon.stop()
  }
}

async function watched(daemon: Measured, work: () => Promise<unknown>): Promise<Delays> {
  await daemon.probe('watch')
  await work()
  return daemon.probe('delays')
}
