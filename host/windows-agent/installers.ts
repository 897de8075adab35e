// The scripts that install the agent on Windows: one for cmd.exe, which contains the program, and one for PowerShell,
// which downloads and checks that.
import { createHash } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { AgentFile } from '../contract/services.ts'
import { fillTemplate, type InstallServer } from './install-template.ts'

const pathOf = (name: string) => fileURLToPath(new URL(`./${name}`, import.meta.url))
const [cmd, powerShell] = [pathOf('install-agent.cmd'), pathOf('install-agent.ps1')]

/** The commands for cmd.exe are a comment for Node. Names of servers have no character that cmd.exe knows. */
export async function makeCmdInstaller({ bytes, sha256 }: AgentFile, server: InstallServer): Promise<Uint8Array> {
  const commands = await fillTemplate(cmd, {
    SHA256: sha256,
    SERVER: server.server,
    PORT: server.port,
    URL: server.url,
    RUNTIME: server.runtime,
    ORIGIN: server.origin,
  })
  // The line that names the interpreter may only be the first one of a program.
  const program = Buffer.from(bytes).subarray(Buffer.from(bytes).indexOf('\n') + 1)
  const [head = ''] = commands.split('*/\n')
  return Buffer.concat([Buffer.from(`${head.replaceAll('\n', '\r\n')}\n*/\n`), program])
}

export async function makePowerShellInstaller(file: AgentFile, server: InstallServer): Promise<Uint8Array> {
  const installer = await makeCmdInstaller(file, server)
  const sha256 = createHash('sha256').update(installer).digest('hex')
  const script = await fillTemplate(powerShell, { SHA256: sha256, INSTALLER: `${server.origin}/agent/install.cmd` })
  return Buffer.from(script)
}
