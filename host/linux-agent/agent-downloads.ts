// What computers download to get the agent for Linux: the program, and a script that installs it.
import { readFile } from 'node:fs/promises'
import { isIPv4 } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Options } from '../config/options.ts'
import { serverAddress } from '../config/server-address.ts'
import type { AgentFile, AgentProgramService, InstallRequest, Request } from '../contract/services.ts'
import { text } from '../contract/text-response.ts'
import { isLoopback } from '../system/networks.ts'

const template = fileURLToPath(new URL('./install-agent.sh', import.meta.url))

type ServerOptions = Pick<Options, 'rest' | 'agents' | 'boot'>

export function createAgentDownloads(
  options: ServerOptions,
  file: () => Promise<AgentFile>,
): Omit<AgentProgramService, 'file'> {
  const scriptFor = createScripts()
  return {
    async respond(request) {
      const { bytes, sha256 } = await file()
      const etag = `"${sha256}"`
      const headers = { ETag: etag, 'Cache-Control': 'no-cache' }
      const known = request.header('If-None-Match')
      // In a list, and marked as weak by a proxy that compresses.
      const isKnown = known === '*' || known.includes(etag)
      return isKnown ? text(scriptType, '', 304, headers) : text(scriptType, bytes, 200, headers)
    },
    async installer(request) {
      const script = await scriptFor(await file(), {
        SERVER: quote(serverName(request, options)),
        PORT: quote(String(options.agents.port)),
        // Where only a proxy reaches the API, updates come through it, too.
        URL: quote(isLoopback(options.rest.ip) ? (requestUrl(request, options) ?? '') : ''),
      })
      // The address in it depends on the request.
      return text('text/x-shellscript; charset=utf-8', script, 200, { 'Cache-Control': 'no-store' })
    },
    installUrl(request) {
      const url = requestUrl(request, options)
      if (url !== undefined) return `${url}/agent/install.sh`
      if (isLoopback(options.rest.ip)) return undefined
      return `${options.rest.tls ? 'https' : 'http'}://${serverAddress(options)}:${request.server.port}/agent/install.sh`
    },
  }
}

const scriptType = 'text/javascript; charset=utf-8'

/** Scripts that are kept, each for one name of the server; a name that is asked for later displaces the oldest. */
const maxScripts = 16

/** Makes the script for one name of the server once, so that callers who ask at the same time share its bytes. */
function createScripts(): (file: AgentFile, server: Record<string, string>) => Promise<Uint8Array> {
  const scripts = new Map<string, Promise<Uint8Array>>()
  return (file, server) => {
    const key = JSON.stringify(server)
    const script = scripts.get(key) ?? makeScript(file, server)
    if (scripts.has(key)) return script
    const [oldest] = scripts.keys()
    if (scripts.size === maxScripts && oldest !== undefined) scripts.delete(oldest)
    scripts.set(key, script)
    // A template that cannot be read is not kept.
    script.catch(() => scripts.delete(key))
    return script
  }
}

async function makeScript({ bytes, version, sha256 }: AgentFile, server: Record<string, string>): Promise<Uint8Array> {
  const values: Record<string, string> = {
    ...server,
    VERSION: quote(version),
    SHA256: quote(sha256),
    // A line that the program cannot have: it would have to contain its own digest.
    END: `END_${sha256}`,
  }
  const filled = (await readFile(template, 'utf8')).replace(/@([A-Z0-9]+)@/g, (all, key) => values[key] ?? all)
  const [before = '', after = ''] = filled.split('@PROGRAM@\n')
  return Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)])
}

/** For `sh`. */
const quote = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`

/** `name` is '' unless the header is an IPv4 address or a host name; `port` is '' or `:8888`. */
function parseHost(header: string): { name: string; port: string } {
  const [, name = '', port = ''] = /^([a-z0-9][a-z0-9.-]{0,252})(:\d{1,5})?$/i.exec(header) ?? []
  return { name: name.toLowerCase(), port }
}

/** The address of the API as the caller knows it; undefined when that leads other computers to themselves. */
function requestUrl({ header, isSecure }: InstallRequest, options: ServerOptions): string | undefined {
  const { name, port } = parseHost(header('Host'))
  if (name === '' || isLoopback(name)) return undefined
  // Without a port it is that of a proxy with TLS, as the daemon has another one.
  const isPlain = !isSecure && (port !== '' || options.rest.port === 80)
  return `${isPlain ? 'http' : 'https'}://${name}${port}`
}

/** What the caller calls this server, else the address that it has reached, for agents, which use IPv4. */
function serverName({ header, server }: Pick<Request, 'header' | 'server'>, options: ServerOptions): string {
  const { name } = parseHost(header('Host'))
  if (name !== '') return name
  // A socket for both versions names IPv4 addresses so.
  const address = server.address.replace(/^::ffff:/, '')
  return isIPv4(address) ? address : serverAddress(options)
}
