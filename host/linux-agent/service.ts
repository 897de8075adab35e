// The agent for Linux as the daemon serves it: bundled once for the life of the process, with its digest.
import { createHash } from 'node:crypto'
import type { Options } from '../config/options.ts'
import type { AgentFile, AgentProgramService } from '../contract/services.ts'
import { version } from '../system/version.ts'
import { createAgentDownloads } from './agent-downloads.ts'
import { bundleAgent } from './bundle-agent.ts'

export function createAgentProgram(options: Pick<Options, 'rest' | 'agents' | 'boot'>): AgentProgramService {
  const { port, tls } = options.rest
  const file = async () => ({ ...(await sharedFile()), rest: { port, tls: tls !== undefined } })
  return { file, ...createAgentDownloads(options, file) }
}

let bundled: Promise<Omit<AgentFile, 'rest'>> | undefined

/** Several hosts of one process share it. A failure, such as a file that cannot be read, is not kept. */
function sharedFile(): Promise<Omit<AgentFile, 'rest'>> {
  bundled ??= makeFile().catch((error: unknown) => {
    bundled = undefined
    throw error
  })
  return bundled
}

async function makeFile(): Promise<Omit<AgentFile, 'rest'>> {
  const bytes = Buffer.from(await bundleAgent())
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { bytes, sha256, version: `fleet-agent ${version}` }
}
