// Sends magic packets, and says from which interfaces they go.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import type { Log } from '../log/log.ts'
import { broadcastOf } from '../system/networks.ts'

/** Default of the port: the discard port, as is usual; tests use another. */
const discardPort = 9

export interface WakeTarget {
  ip: string
  mac: string
  netmask: string
  /** `unicast` or `2`, `broadcast` or `1`. */
  type: string
}

export interface PacketSender {
  /** Resolves to where packets went: `10.1.1.255 by eth0`. Rejects when none of them could be sent. */
  send(target: WakeTarget): Promise<string[]>
  close(): void
}

/** Opens one socket for all packets. `interface`: option `wol.interface`. */
export async function openPacketSender(
  options: { interface?: string; port?: number },
  log: Log,
): Promise<PacketSender> {
  const socket = createSocket('udp4').unref()
  socket.bind(0)
  await once(socket, 'listening')
  socket.setBroadcast(true)
  socket.on('error', error => log.error('wake', 'UDP socket failed', error))

  /** Resolves to the reason for which the packet was not sent. */
  const transmit = (packet: Buffer, address: string) =>
    new Promise<string | undefined>(resolve => {
      const onSent = (error: Error | null) => resolve(error ? `${address}: ${error.message}` : undefined)
      socket.send(packet, options.port ?? discardPort, address, onSent)
    })

  return {
    async send({ ip, mac, netmask, type }) {
      const kind = { '1': 'broadcast', '2': 'unicast' }[type] ?? type
      if (kind !== 'broadcast' && kind !== 'unicast') log.warn(`wake ${ip}`, `unknown type ${type}, sent as broadcast`)
      const broadcasts = () => [...interfaceBroadcasts(options.interface, log), broadcastOf(ip, netmask)]
      const addresses = [...new Set(kind === 'unicast' ? [ip] : broadcasts())]
      const sent = await Promise.all(addresses.map(address => transmit(magicPacket(mac), address)))
      const failures = sent.filter(reason => reason !== undefined)
      // One packet is enough to wake the computer, so only a failure of all is an error.
      if (failures.length === sent.length) throw new Error(`no magic packet sent: ${failures.join(', ')}`)
      for (const reason of failures) log.warn(`wake ${ip}`, reason)
      return addresses.filter((_, index) => sent[index] === undefined).map(describeRoute)
    },
    close: () => socket.close(),
  }
}

/** Six times FF, then sixteen times the hardware address of 12 hex digits. */
export const magicPacket = (mac: string): Buffer => Buffer.from('ff'.repeat(6) + mac.repeat(16), 'hex')

/** Of a network that no interface is in, packets go by a gateway, which may drop them. */
function describeRoute(address: string): string {
  const [name = 'a gateway'] =
    Object.entries(networkInterfaces()).find(([, addresses = []]) =>
      addresses.some(
        each =>
          each.family === 'IPv4' && broadcastOf(address, each.netmask) === broadcastOf(each.address, each.netmask),
      ),
    ) ?? []
  return `${address} by ${name}`
}

function interfaceBroadcasts(name: string | undefined, log: Log): string[] {
  if (name === undefined) return []
  const addresses = networkInterfaces()[name]
  if (!addresses) log.warn('wake', `wol.interface: expected a network interface, got ${name}`)
  return (addresses ?? []).flatMap(({ family, address, netmask }) =>
    family === 'IPv4' ? [broadcastOf(address, netmask)] : [],
  )
}
