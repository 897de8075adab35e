// What a measurement starts: daemons, agents, callers and small programs, all of which end with it.
import type { Agents } from './agents.ts'
import type { Calls } from './child-process.ts'
import { type Child, startChild } from './child-process.ts'
import { type DaemonOptions, type MeasuredDaemon, startMeasuredDaemon } from './measured-daemon.ts'

export interface Bench {
  daemon(computers: number, options?: DaemonOptions): Promise<MeasuredDaemon>
  /** A daemon that has started with its computers: what adds them is not measured. */
  startedAgain(computers: number): Promise<MeasuredDaemon>
  /** `name` is a file in this folder. */
  child<Of extends Calls>(name: string): Child<Of>
  /** Agents that are connected to the daemon and have sent their inventory. */
  agentsOf(daemon: MeasuredDaemon, count: number, more?: { onWindows: boolean }): Promise<Child<Agents>>
  /** Agents that are connected to a port of a baseline. */
  bareAgents(port: number, count: number): Promise<Child<Agents>>
  /** Calls `end` at the end. */
  atEnd(end: () => Promise<unknown> | unknown): void
}

/** Agents that connect at the same time. */
export const atOnce = 500

export async function withBench<Result>(work: (bench: Bench) => Promise<Result>): Promise<Result> {
  const ends: (() => Promise<unknown> | unknown)[] = []
  const bench: Bench = {
    async daemon(computers, options) {
      const daemon = await startMeasuredDaemon(computers, options)
      ends.push(() => daemon.stop())
      return daemon
    },
    async startedAgain(computers) {
      const filled = await startMeasuredDaemon(computers)
      await filled.stop('keep')
      return bench.daemon(computers, { left: filled.folder })
    },
    child<Of extends Calls>(name: string) {
      const child = startChild<Of>(name)
      ends.push(() => child.stop())
      return child
    },
    async agentsOf(daemon, count, more) {
      const agents = bench.child<Agents>('agents.ts')
      await agents.ask('connect', { port: daemon.ports.agents, count, atOnce, round: 0, ...more })
      await daemon.waitForClients(count)
      return agents
    },
    async bareAgents(port, count) {
      const agents = bench.child<Agents>('agents.ts')
      await agents.ask('connect', { port, count, atOnce })
      return agents
    },
    atEnd: end => void ends.push(end),
  }
  try {
    return await work(bench)
  } finally {
    for (const end of ends.reverse()) await end()
  }
}
