// The agent for Linux and Windows as computers download it: the program, bundled once for the life of the process,
// scripts that install it, and Node for Windows.
import { createHash } from 'node:crypto'
import { isIPv4 } from 'node:net'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import type { Options } from '../config/options.ts'
import { serverAddress } from '../config/server-address.ts'
import type { AgentFile, AgentProgramService, InstallerName, InstallRequest } from '../contract/services.ts'
import { text } from '../contract/text-response.ts'
import { notFound, respondWithFile } from '../system/file-response.ts'
import { isLoopback } from '../system/networks.ts'
import { withEsbuild } from '../system/process/esbuild-process.ts'
import { version } from '../system/version.ts'
import { fillTemplate, type InstallServer, type MakeInstaller } from '../windows-agent/install-template.ts'
import { makeCmdInstaller, makePowerShellInstaller } from '../windows-agent/installers.ts'
import { listRuntimes, runtimeFile } from '../windows-agent/runtime/runtime-folder.ts'

const program = fileURLToPath(new URL('../agent-program/main.ts', import.meta.url))
const template = fileURLToPath(new URL('./install-agent.sh', import.meta.url))

type ServerOptions = Pick<Options, 'rest' | 'agents' | 'boot' | 'store'>

export function createAgentProgram(options: ServerOptions): AgentProgramService {
  const { port, tls } = options.rest
  const scriptFor = createScripts()
  const file = async (): Promise<AgentFile> => ({ ...(await commonFile()), rest: { port, tls: tls !== undefined } })
  return {
    file,
    async respond(request) {
      const { bytes, sha256 } = await file()
      const etag = `"${sha256}"`
      const headers = { ETag: etag, 'Cache-Control': 'no-cache' }
      const known = request.header('If-None-Match')
      // In a list, and marked as weak by a proxy that compresses.
      const isKnown = known === '*' || known.includes(etag)
      return isKnown ? text(scriptType, '', 304, headers) : text(scriptType, bytes, 200, headers)
    },
    async runtime({ header }) {
      const [newest] = await listRuntimes(options.store.path)
      return newest ? respondWithFile(runtimeFile(options.store.path, newest), header) : notFound()
    },
    async installer(request, name) {
      const [runtime] = name === 'install.sh' ? [] : await listRuntimes(options.store.path)
      const server = {
        server: serverName(request, options),
        port: String(options.agents.port),
        // Where only a proxy reaches the API, updates come through it, too.
        url: isLoopback(options.rest.ip) ? (requestUrl(request, options) ?? '') : '',
        // For a caller on the server itself, where nobody else can use the API.
        origin: installOrigin(request, options) ?? `${tls ? 'https' : 'http'}://localhost:${request.server.port}`,
        runtime: runtime?.sha256 ?? '',
      }
      const script = await scriptFor(name, await file(), server)
      // The address in it depends on the request.
      return text(`${installers[name].type}; charset=utf-8`, script, 200, { 'Cache-Control': 'no-store' })
    },
    installUrl(request) {
      const origin = installOrigin(request, options)
      return origin === undefined ? undefined : `${origin}/agent/install.sh`
    },
  }
}

const installers: Record<InstallerName, { type: string; make: MakeInstaller }> = {
  'install.sh': { type: 'text/x-shellscript', make: makeScript },
  'install.cmd': { type: 'application/x-bat', make: makeCmdInstaller },
  'install.ps1': { type: 'text/plain', make: makePowerShellInstaller },
}

const scriptType = 'text/javascript; charset=utf-8'

let bundled: Promise<Omit<AgentFile, 'rest'>> | undefined

/** Several hosts of one process have it in common. A failure, such as a file that cannot be read, is not kept. */
function commonFile(): Promise<Omit<AgentFile, 'rest'>> {
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

/**
 * Resolves to a program without dependencies that Node 20 or newer runs under any name: CommonJS. Rejects when a source
 * file cannot be read or compiled.
 */
export async function bundleAgent(): Promise<string> {
  const { outputFiles } = await withEsbuild(() =>
    build({
      entryPoints: [program],
      bundle: true,
      write: false,
      format: 'cjs',
      platform: 'node',
      target: 'node20',
      define: { AGENT_VERSION: JSON.stringify(version) },
      charset: 'utf8',
      legalComments: 'none',
      logLevel: 'silent',
      tsconfigRaw: '{}',
    }),
  )
  const [file] = outputFiles
  if (!file) throw new Error('agent: expected one bundled file, got none')
  return file.text
}

/** Scripts that are kept, each for one name of the server; a name that is asked for later displaces the oldest. */
const maxScripts = 16

/** Makes the script for one name of the server once, so that callers who ask at the same time get the same bytes. */
function createScripts(): (name: InstallerName, file: AgentFile, server: InstallServer) => Promise<Uint8Array> {
  const scripts = new Map<string, Promise<Uint8Array>>()
  return (name, file, server) => {
    const key = JSON.stringify([name, server])
    const script = scripts.get(key) ?? installers[name].make(file, server)
    if (scripts.has(key)) return script
    const [oldest] = scripts.keys()
    if (scripts.size === maxScripts && oldest !== undefined) scripts.delete(oldest)
    scripts.set(key, script)
    // A template that cannot be read is not kept.
    script.catch(() => scripts.delete(key))
    return script
  }
}

async function makeScript({ bytes, version, sha256 }: AgentFile, server: InstallServer): Promise<Uint8Array> {
  const filled = await fillTemplate(template, {
    SERVER: quote(server.server),
    PORT: quote(server.port),
    URL: quote(server.url),
    VERSION: quote(version),
    SHA256: quote(sha256),
    // A line that the program cannot have: it would have to contain its own digest.
    END: `END_${sha256}`,
  })
  const [before = '', after = ''] = filled.split('@PROGRAM@\n')
  return Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)])
}

/** For `sh`. */
const quote = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`

/** `name` is '' unless the header is an IPv4 address or a host name; `port` is '' or `:8888`. */
function parseHost({ header }: InstallRequest): { name: string; port: string } {
  const [, name = '', port = ''] = /^([a-z0-9][a-z0-9.-]{0,252})(:\d{1,5})?$/i.exec(header('Host')) ?? []
  return { name: name.toLowerCase(), port }
}

/** The address of the API as the caller knows it; undefined when that leads other computers to themselves. */
function requestUrl(request: InstallRequest, options: ServerOptions): string | undefined {
  const { name, port } = parseHost(request)
  if (name === '' || isLoopback(name)) return undefined
  // Without a port it is that of a proxy with TLS, as the daemon has another one.
  const isPlain = !request.isSecure && (port !== '' || options.rest.port === 80)
  return `${isPlain ? 'http' : 'https'}://${name}${port}`
}

/** The address of the API for other computers; undefined when `rest.ip` lets only this server use it. */
function installOrigin(request: InstallRequest, options: ServerOptions): string | undefined {
  const url = requestUrl(request, options)
  if (url !== undefined || isLoopback(options.rest.ip)) return url
  return `${options.rest.tls ? 'https' : 'http'}://${serverAddress(options)}:${request.server.port}`
}

/** What the caller calls this server, else the address that it has reached, for agents, which use IPv4. */
function serverName(request: InstallRequest, options: ServerOptions): string {
  // A socket for both versions names IPv4 addresses so.
  const address = request.server.address.replace(/^::ffff:/, '')
  return parseHost(request).name || (isIPv4(address) ? address : serverAddress(options))
}
