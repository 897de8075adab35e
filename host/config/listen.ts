// Has a server listen on the address of a section of the options; an error names the option and says what to write.
import { once } from 'node:events'
import type { Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { message } from '../log/log.ts'
import { OptionsError } from './options.ts'

interface Address {
  ip: string
  port: number
}

/**
 * Connections that may wait to be accepted, as many as the kernel admits (net.core.somaxconn): a whole site comes back
 * together, and agents for which there is no room believe that they are connected.
 */
const backlog = 65_535

/** Rejects with one line when it cannot. */
export async function listen(server: Server, section: 'rest' | 'agents', address: Address): Promise<void> {
  server.listen({ host: address.ip, port: address.port, backlog })
  await once(server, 'listening').catch(error => {
    throw new OptionsError(`${section}.${describeError(error, address)}`)
  })
}

function describeError(error: unknown, { ip, port }: Address): string {
  const code = error instanceof Error && 'code' in error ? error.code : ''
  if (code === 'EADDRINUSE')
    return `port: another program has port ${port} of ${ip} (ss -ltnp names it): stop it, or write another port`
  if (code === 'EACCES')
    return `port: the daemon may not open port ${port}: write one from 1024 on, or give it CAP_NET_BIND_SERVICE`
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address))
  return `ip: expected 0.0.0.0 or an address of this server (${own.join(', ')}), got ${ip}: ${message(error)}`
}
