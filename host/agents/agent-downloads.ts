// What computers download to get the agent for Linux: the program, and a script that installs it.
import { readFile } from 'node:fs/promises'
import { isIPv4 } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { Options } from '../config/options.ts'
import { serverAddress } from '../config/server-address.ts'
import type { AgentFile, AgentProgramService, InstallRequest, Request } from '../services.ts'
import { text } from '../text-response.ts'

const template = fileURLToPath(new URL('./install-agent.sh', import.meta.url))

type ServerOptions = Pick<Options, 'rest' | 'agents' | 'boot'>

export function createAgentDownloads(
  options: ServerOptions,
  file: () => Promise<AgentFile>,
): Omit<AgentProgramService, 'file'> {
  return {
    async respond(request) {
      const { content, sha256 } = await file()
      const etag = `"${sha256}"`
      const headers = { ETag: etag, 'Cache-Control': 'no-cache' }
      // A proxy that compresses marks the tag as weak.
      const known = request.header('If-None-Match').split(/\s*,\s*/)
      const isKnown = known.some(each => each === '*' || each.replace(/^W\//, '') === etag)
      return isKnown ? text(scriptType, '', 304, headers) : text(scriptType, content, 200, headers)
    },
    async installer(request) {
      const { content, version, sha256 } = await file()
      const values: Record<string, string> = {
        SERVER: quote(serverName(request, options)),
        PORT: quote(String(options.agents.port)),
        // Where only a proxy reaches the API, updates come through it, too.
        URL: quote(isLoopback(options.rest.ip) ? (requestUrl(request, options) ?? '') : ''),
        VERSION: quote(version),
        SHA256: quote(sha256),
        // A line that the program cannot have: it would have to contain its own digest.
        END: `END_${sha256}`,
        // The template has the line break.
        PROGRAM: content.replace(/\n$/, ''),
      }
      const script = (await readFile(template, 'utf8')).replace(/@([A-Z0-9]+)@/g, (all, key) => values[key] ?? all)
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

/** For `sh`. */
const quote = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`

const isLoopback = (name: string): boolean => /^(localhost|::1|127\.\d+\.\d+\.\d+)$/.test(name)

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
