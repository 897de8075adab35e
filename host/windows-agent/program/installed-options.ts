// The options of an installed agent: those that it has, with those of the installation.
import { messageOf } from '../../agent-program/agent-log.ts'

export interface InstallArguments {
  /** '' without the option. */
  server: string
  port: string
  /** Of the download. */
  defaultServer: string
  defaultPort: string
  /** Of the server's proxy, for updates; '' where agents reach the daemon itself. */
  defaultUrl: string
}

export type InstalledOptions = Record<string, unknown> & { server: string; port: number }

/** `text`: the present options. The address for updates does not stay when the server changes. */
export function mergeOptions(
  text: string,
  { server: newServer, port: newPort, defaultServer, defaultPort, defaultUrl }: InstallArguments,
): InstalledOptions {
  const { url, ...present } = parseOptions(text)
  const server = newServer || String(present.server ?? '') || defaultServer
  const port = Number(newPort || present.port || defaultPort)
  if (!(port >= 1 && port <= 65_535)) throw new Error(`port: expected 1 to 65535, got ${port}`)
  const hasChanged = newServer !== '' && present.server !== undefined && newServer !== present.server
  const isDefault = defaultUrl !== '' && (newServer !== '' || server === defaultServer)
  const address = (hasChanged ? undefined : url) ?? (isDefault ? defaultUrl : undefined)
  return { ...present, server, port, ...(address !== undefined && { url: address }) }
}

function parseOptions(text: string): Record<string, unknown> {
  let options: unknown
  try {
    options = JSON.parse(text)
  } catch (error) {
    throw new Error(`options.json: ${messageOf(error)}`)
  }
  if (options instanceof Object && !Array.isArray(options)) return { ...options }
  throw new Error('options.json: expected an object of options')
}
