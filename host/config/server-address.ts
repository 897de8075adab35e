// The addresses by which agents and boot loaders, and people, reach this server.
import { networkInterfaces } from 'node:os'
import type { Options } from './options.ts'

/** Option `boot.server`, else `agents.ip`, else the first IPv4 address that is not loopback (open points, section 6). */
export function serverAddress({ boot, agents }: Pick<Options, 'boot' | 'agents'>): string {
  if (boot.server !== undefined) return boot.server
  if (agents.ip !== '0.0.0.0' && agents.ip !== '::') return agents.ip
  const external = Object.values(networkInterfaces())
    .flatMap(addresses => addresses ?? [])
    .find(({ family, internal }) => family === 'IPv4' && !internal)
  return external?.address ?? '127.0.0.1'
}

/** The REST API, for people: of a server that listens on all of its addresses, at the one that agents use. */
export function restUrl(options: Pick<Options, 'rest' | 'boot' | 'agents'>): string {
  const { ip, port, tls } = options.rest
  const address = ip === '0.0.0.0' || ip === '::' ? serverAddress(options) : ip
  return `${tls ? 'https' : 'http'}://${address.includes(':') ? `[${address}]` : address}:${port}`
}

/** What boot files say of this server. */
export const bootServer = (options: Pick<Options, 'rest' | 'boot' | 'agents'>) => ({
  address: serverAddress(options),
  restPort: options.rest.port,
  agentPort: options.agents.port,
  lang: options.boot.lang,
})
