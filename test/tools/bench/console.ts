// Measures callers that read /scopes and /clients once a second, as consoles do, with many computers and agents.
//
//   node --import tsx test/tools/bench/console.ts [--computers 2000] [--callers 20] [--seconds 5]
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Agent, connectAgent } from '../../harness/simulated-agent.ts'
import { spent, startDaemon } from './daemon.ts'

export interface ConsoleLoad {
  computers: number
  callers: number
  seconds: number
}

export interface ConsoleResult {
  /** Milliseconds of each request, by route. */
  latencies: Record<string, number[]>
  /** Processor seconds of the daemon per second of the measurement. */
  share: number
}

/** Agents that connect at the same time; more would only wait in the kernel. */
const atOnce = 200

export async function measureConsoles({ computers, callers, seconds }: ConsoleLoad): Promise<ConsoleResult> {
  const daemon = await startDaemon(computers)
  const agents: Agent[] = []
  try {
    const port = await daemon.program.agentsPort()
    for (let from = 0; from < computers; from += atOnce) {
      const addrs = daemon.addrs.slice(from, from + atOnce)
      agents.push(...(await Promise.all(addrs.map(addr => connectAgent({ port, addr, keep: false })))))
    }
    const latencies: ConsoleResult['latencies'] = { 'GET /scopes': [], 'GET /clients': [] }
    const call = async (index: number) => {
      const first = performance.now() + (1000 * index) / callers
      for (let round = 0; round < seconds; round += 1) {
        await wait(Math.max(0, first + 1000 * round - performance.now()))
        for (const [route, times] of Object.entries(latencies)) {
          const began = performance.now()
          await daemon.call(route)
          times.push(performance.now() - began)
        }
      }
    }
    const [began, before] = [performance.now(), daemon.cpu()]
    await Promise.all(Array.from({ length: callers }, (_, index) => call(index)))
    const { user, system } = spent(before, daemon.cpu())
    return { latencies, share: (user + system) / ((performance.now() - began) / 1000) }
  } finally {
    for (const agent of agents) agent.destroy()
    await daemon.stop()
  }
}

const at = (sorted: number[], part: number) => sorted[Math.floor((sorted.length - 1) * part)]?.toFixed(1)

async function main(): Promise<void> {
  const text = (fallback: string) => ({ type: 'string', default: fallback }) as const
  const { values } = parseArgs({ options: { computers: text('2000'), callers: text('20'), seconds: text('5') } })
  const load = {
    computers: Number(values.computers),
    callers: Number(values.callers),
    seconds: Number(values.seconds),
  }
  const { latencies, share } = await measureConsoles(load)
  for (const [route, times] of Object.entries(latencies)) {
    const sorted = times.toSorted((a, b) => a - b)
    console.log(
      `${route}: ${times.length} requests, median ${at(sorted, 0.5)} ms, 99th percentile ${at(sorted, 0.99)} ms`,
    )
  }
  console.log(
    `${load.callers} callers, ${load.computers} computers and agents: the daemon uses ${(100 * share).toFixed(0)} % of a core`,
  )
}

if (process.argv[1] === import.meta.filename) await main()
