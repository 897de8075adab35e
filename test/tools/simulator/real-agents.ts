// The real agents of the lab, with the folder of their files, which is removed in the end.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleAgent } from '../../../host/linux-agent/service.ts'
import type { Endpoint } from './arguments.ts'
import { RealAgent } from './real-agent.ts'

export interface RealAgents {
  list: RealAgent[]
  /** Resolves when all processes have ended. */
  end(): Promise<void>
}

/** None of them runs before its `boot`. `print` gets their errors. */
export async function createRealAgents(
  count: number,
  agents: Endpoint,
  print: (text: string) => void,
): Promise<RealAgents> {
  if (count === 0) return { list: [], end: async () => {} }
  const folder = mkdtempSync(join(tmpdir(), 'fleet-lab-'))
  // For the user of the agents.
  chmodSync(folder, 0o711)
  const deps = { folder, program: await bundleAgent(), count, agents, print }
  const list = Array.from({ length: count }, (_, index) => new RealAgent(index + 1, deps))
  return {
    list,
    async end() {
      await Promise.all(list.map(agent => agent.end()))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
