// Rounds of a measurement: the adapter, and beside it a bare loop that sends the same.
import type { Store } from '../../../stores/store.ts'
import { type Stall, watchStalls } from './stall-watch.ts'

export interface Side extends Stall {
  milliseconds: number
  /** Of this process. */
  processor: number
}

export interface Round {
  adapter: Side
  bare: Side
}

export interface Bench {
  store: Store
  size: number
  seconds: number
  /** Does the work with the adapter, and then what it sent with the bare loop, which has so many callers. */
  compare(callers: number, work: () => Promise<unknown>): Promise<Round>
  print(name: string, calls: number, rounds: readonly Round[]): void
}

export async function measureSide(work: () => Promise<unknown>): Promise<Side> {
  const stalls = watchStalls()
  const used = process.cpuUsage()
  const began = performance.now()
  await work()
  const milliseconds = performance.now() - began
  const { user, system } = process.cpuUsage(used)
  return { milliseconds, processor: (user + system) / 1000, ...stalls() }
}

/** Prints a row of the table. */
export function print(name: string, calls: number, rounds: readonly Round[]): void {
  const [adapter, bare] = [sum(rounds.map(round => round.adapter)), sum(rounds.map(round => round.bare))]
  const time = (side: Side) => {
    const each = side.milliseconds / rounds.length / calls
    return calls === 1 ? `${each.toFixed(0)} ms` : `${(1000 / each).toFixed(0)}/s`
  }
  const ratio = (key: 'milliseconds' | 'processor') => (adapter[key] / bare[key]).toFixed(2)
  const stall = `${adapter.stall} ms (${adapter.cpu}), bare ${bare.stall} ms (${bare.cpu})`
  console.log(
    `| ${name} | ${time(adapter)} | ${time(bare)} | ${ratio('milliseconds')} | ${ratio('processor')} | ${stall} |`,
  )
}

/** Times are added up; of the stalls the longest counts. */
function sum(sides: readonly Side[]): Side {
  const total: Side = { milliseconds: 0, processor: 0, stall: 0, cpu: 0 }
  for (const { milliseconds, processor, stall, cpu } of sides) {
    total.milliseconds += milliseconds
    total.processor += processor
    total.stall = Math.max(total.stall, stall)
    total.cpu = Math.max(total.cpu, cpu)
  }
  return total
}
