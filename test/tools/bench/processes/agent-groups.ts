// The agents of one program in several processes: each may open only so many files.
import type { Agents } from './agents.ts'
import type { Bench } from './bench.ts'
import type { Child } from './child-process.ts'

const perProcess = 10_000

export interface AgentGroups {
  /** All, or the first `count`, at the same time. Without `round` they wait for no first command. */
  connect(port: number, round?: number, count?: number): Promise<void>
  /** They are about to be sent a request. */
  expect(): Promise<unknown>
  /** The time at which the last one received it. */
  received(): Promise<number>
  /** How many connections the other side has closed. */
  dropped(): Promise<number>
  leave(): Promise<unknown>
}

type Group = Child<Pick<Agents, 'connect' | 'expect' | 'received' | 'dropped' | 'leave'>>

export function startAgentGroups(bench: Bench, size: number, program = 'agents.ts'): AgentGroups {
  return groupsOf(
    Array.from({ length: Math.ceil(size / perProcess) }, (): Group => bench.child(program)),
    size,
  )
}

export function groupsOf(children: Group[], size: number): AgentGroups {
  return {
    async connect(port, round, count = size) {
      const share = Math.ceil(count / children.length)
      const connect = (child: Group, index: number) => {
        const first = index * share
        return child.ask('connect', { port, first, count: Math.min(share, count - first), atOnce: share, round })
      }
      await Promise.all(children.map(connect))
    },
    expect: () => Promise.all(children.map(child => child.ask('expect'))),
    received: async () => Math.max(...(await Promise.all(children.map(child => child.ask('received'))))),
    async dropped() {
      const counts = await Promise.all(children.map(child => child.ask('dropped')))
      return counts.reduce((sum, each) => sum + each, 0)
    },
    leave: () => Promise.all(children.map(child => child.ask('leave'))),
  }
}
