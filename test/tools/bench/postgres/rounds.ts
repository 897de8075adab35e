// Rounds of a measurement of a store: the adapter, and beside it a bare loop that sends the same.
import { readFileSync } from 'node:fs'
import type { Store } from '../../../../stores/store.ts'
import type { Row } from '../measurement.ts'

/** In milliseconds. */
interface Side {
  time: number
  /** Processor time of this process. */
  cpu: number
  /** The most processor time of this thread between two looks at a timer of 1 ms: a stall on an idle machine. */
  stall: number
}

export interface Round {
  adapter: Side
  bare: Side
}

export interface StoreBench {
  store: Store
  size: number
  seconds: number
  /** Does the work with the adapter, and then what it sent with the bare loop, which has so many callers. */
  compare(callers: number, work: () => Promise<unknown>): Promise<Round>
  /** Adds the rows of rounds with so many calls each. */
  report(name: string, calls: number, rounds: readonly Round[]): void
}

export async function measureSide(work: () => Promise<unknown>): Promise<Side> {
  let [stall, last] = [0, threadMilliseconds()]
  const timer = setInterval(() => {
    const now = threadMilliseconds()
    stall = Math.max(stall, now - last)
    last = now
  }, 1)
  const used = process.cpuUsage()
  const began = performance.now()
  await work()
  clearInterval(timer)
  const { user, system } = process.cpuUsage(used)
  return { time: performance.now() - began, cpu: (user + system) / 1000, stall }
}

function threadMilliseconds(): number {
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6
}

export function rowsOf(name: string, calls: number, rounds: readonly Round[]): Row[] {
  const sum = (side: keyof Round, key: 'time' | 'cpu') => rounds.reduce((total, each) => total + each[side][key], 0)
  const longest = (side: keyof Round) => Math.max(...rounds.map(each => each[side].stall))
  const each = (side: keyof Round, key: 'time' | 'cpu') => sum(side, key) / rounds.length / calls
  const rate = `${Math.round(1000 / each('adapter', 'time')).toLocaleString('en-US')}/s`
  return [
    {
      figure: `${name}${calls > 1 ? `, ${rate}: time of a call` : ''}`,
      measured: each('adapter', 'time'),
      unit: 'ms',
      baseline: each('bare', 'time'),
    },
    { figure: `${name}: CPU`, measured: each('adapter', 'cpu'), unit: 'ms', baseline: each('bare', 'cpu') },
    { figure: `${name}: longest stall`, measured: longest('adapter'), unit: 'ms', baseline: longest('bare') },
  ]
}
