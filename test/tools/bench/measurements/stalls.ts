// Measures the longest stall of the daemon's event loop, in a fan-out and in a boot storm.
import { type Measurement, medians, type Row, repeat } from '../measurement.ts'
import type { Agents } from '../processes/agents.ts'
import { type Child, startChild } from '../processes/child-process.ts'
import { computerSpecOf } from '../processes/computers.ts'
import { forwardAndWait } from '../processes/filled-daemon.ts'
import { type MeasuredDaemon, startMeasuredDaemon } from '../processes/measured-daemon.ts'
import { switchOn } from './storm.ts'

const fanOut = 4_000
const storm = 1_000
const atOnce = 500
const rounds = { warm: 2, rounds: 5 }
const max = 25 // ms

export const stalls: Measurement = {
  name: 'stalls',
  async run(options) {
    const size = Math.min(fanOut, options.agents ?? fanOut)
    return [
      ...(await measure(`fan-out to ${size}`, size, async (daemon, agents, round) => {
        if (round === 0) {
          await agents.ask('connect', { port: daemon.ports.agents, count: size, atOnce, round: 0 })
          await daemon.waitForClients(size)
        }
        const clients = Array.from({ length: size }, (_, index) => computerSpecOf(index).ip)
        return measureDelays(daemon, () =>
          forwardAndWait(daemon, 'POST /shell/run', { clients, run: 'uname -a', echo: true }),
        )
      })),
      ...(await measure(`boot storm of ${storm}`, storm, (daemon, agents, round) =>
        measureDelays(daemon, () => switchOn(daemon, agents, storm, round)),
      )),
    ]
  },
}

type Delays = Record<'longest' | 'p99', number>

async function measure(
  name: string,
  size: number,
  run: (daemon: MeasuredDaemon, agents: Child<Agents>, round: number) => Promise<Delays>,
): Promise<Row[]> {
  const daemon = await startMeasuredDaemon(size)
  const agents = startChild<Agents>('agents.ts')
  try {
    const { longest, p99 } = medians(await repeat(rounds, round => run(daemon, agents, round)), 'longest', 'p99')
    const targets = [{ of: 'value', max } as const]
    return [
      { figure: `${name}: longest stall`, measured: longest, unit: 'ms', targets },
      { figure: `${name}: event-loop delay, p99`, measured: p99, unit: 'ms' },
    ]
  } finally {
    await agents.stop()
    await daemon.stop()
  }
}

async function measureDelays(daemon: MeasuredDaemon, work: () => Promise<unknown>): Promise<Delays> {
  await daemon.inspect('watch')
  await work()
  return daemon.inspect('delays')
}
