// An agent for Linux with a file of its own that tests replace, and both servers that it needs for that.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startProgramServer } from './agent-programs.ts'
import { startAgentsPort } from './agents-port.ts'
import { endPrograms } from './daemon-process.ts'
import { agentCode, startLinuxAgent } from './linux-agent.ts'
import { createLinuxFixture } from './linux-fixture.ts'

export async function startUpdateLab(addr: string, trialSeconds: number) {
  const folder = mkdtempSync(join(tmpdir(), 'agent-update-'))
  const program = join(folder, 'fleet-agent.js')
  writeFileSync(program, agentCode, { mode: 0o755 })
  const fixture = createLinuxFixture()
  const files = await startProgramServer()
  const server = await startAgentsPort()
  const more = { url: files.url, 'trial-seconds': String(trialSeconds) }
  return {
    fixture,
    files,
    folder,
    program,
    start: () => startLinuxAgent({ port: server.port, addr, fixture, program, more }),
    /** Without waiting for a message. */
    connection: server.connection,
    /** The next connection, with the name of its agent. */
    async hello() {
      const connection = await server.connection()
      return { connection, name: Object.assign({ agent: '' }, (await connection.next()).body).agent }
    },
    /** The content of the program's file. */
    installed: () => readFileSync(program, 'utf8'),
    listing: () => readdirSync(folder),
    async stop() {
      await endPrograms()
      await server.stop()
      await files.stop()
      fixture.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
