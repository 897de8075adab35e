// Measures what hooks cost beside a daemon without any: of one script for many agents, and of an idle daemon.
import { setTimeout as wait } from 'node:timers/promises'
import { count, inTurns, type Measurement, type Row, timesBaseline } from '../measurement.ts'
import { addressesOf } from '../processes/computers.ts'
import { wakeUpsOf } from '../processes/process-usage.ts'
import { forward } from './fan-out.ts'
import { settleSeconds } from './idle.ts'

const rounds = { warm: 9, rounds: 61 }
const idleHooks = 20
const idleSeconds = 60
/** Of a ratio that should be 1: wake-ups are few. */
const sameWakeUps = 1.1

const hook = (on: string) => `export default { summary: 'Get events', on: ['${on}'], run() {} }\n`

const fanOutTargets = { 'job-finished': 1.03, 'job-part': 1.1 }

export const hooks: Measurement = {
  name: 'hooks',
  sizes: [4_000],
  async run(bench, size) {
    const clients = addressesOf(size)
    const start = async (site?: Record<string, string>) => {
      const daemon = await bench.daemon(size, { site })
      return { daemon, agents: await bench.agentsOf(daemon, size) }
    }
    const types = Object.entries(fanOutTargets)
    const daemons = [await start()]
    for (const [type] of types) daemons.push(await start({ 'hook.mjs': hook(type) }))
    const costs = await inTurns(daemons, rounds, async ({ daemon, agents }) => {
      const { cpu, storing } = await forward(daemon, agents, clients)
      return { cpu: cpu + storing }
    })
    const baseline = costs[0]?.cpu
    const fanOuts = types.map(([type, most], index): Row => {
      const figure = `fan-out to ${count(size)} and replies, a hook on ${type}: CPU`
      return {
        figure,
        measured: costs[index + 1]?.cpu ?? Number.NaN,
        baseline,
        unit: 'ms',
        targets: timesBaseline(most),
      }
    })
    return [...fanOuts, await idleRow(start)]
  },
}

async function idleRow(start: (site?: Record<string, string>) => Promise<{ daemon: { pid: number } }>): Promise<Row> {
  const names = Array.from({ length: idleHooks }, (_, index) => `hook-${index}.mjs`)
  const types = Object.keys(fanOutTargets)
  const site = Object.fromEntries(names.map((name, index) => [name, hook(types[index % types.length] ?? '')]))
  const daemons = [await start(), await start(site)]
  await wait(settleSeconds * 1000)
  const before = daemons.map(({ daemon }) => wakeUpsOf(daemon.pid).all)
  await wait(idleSeconds * 1000)
  const [baseline, measured = Number.NaN] = daemons.map(
    ({ daemon }, index) => (wakeUpsOf(daemon.pid).all - (before[index] ?? 0)) / idleSeconds,
  )
  const figure = `idle, ${idleHooks} hooks: wake-ups of all threads`
  return { figure, measured, baseline, unit: '/s', targets: timesBaseline(sameWakeUps) }
}
