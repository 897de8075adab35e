// The address by which agents and boot loaders reach this server.
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
