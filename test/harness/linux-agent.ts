// Starts the agent for Linux as a process of its own, from the bundle that computers get.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleAgent } from '../../host/linux-agent/service.ts'
import { type Program, startProgram } from './daemon-process.ts'
import type { LinuxFixture } from './linux-fixture.ts'

export interface LinuxAgentOptions {
  port: number
  addr: string
  fixture: LinuxFixture
  /** The file of the program; default: one that no test may replace. */
  program?: string
  /** The program that runs the file, with its first arguments; default: Node. */
  runner?: [string, ...string[]]
  /** Further options of the agent. */
  more?: Record<string, string>
}

const folder = mkdtempSync(join(tmpdir(), 'linux-agent-'))
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
/** The text of the program. */
export const agentCode = await bundleAgent()
export const sharedProgram = join(folder, 'agent.cjs')
writeFileSync(sharedProgram, agentCode)

/** Without waiting for its connection. End it with `kill`, all of a suite with `endPrograms`. */
export function startLinuxAgent(agent: LinuxAgentOptions): Program {
  const { port, addr, fixture, program = sharedProgram, runner = [process.execPath], more = {} } = agent
  const options = {
    server: '127.0.0.1',
    port: String(port),
    'local-address': addr,
    'log-level': 'debug',
    root: fixture.root,
    interface: 'eth7',
    // No test may turn the computer off on which it runs.
    'poweroff-command': 'false',
    'reboot-command': 'false',
    ...more,
  }
  return startProgram(mkdtempSync(join(folder, 'options-')), {
    command: [...runner, program],
    text: JSON.stringify(options),
    env: { PATH: fixture.path },
  })
}
