// Sends the magic packets of Wake-on-LAN.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import type { Log } from '../log/log.ts'

export interface WakeTarget {
  ip: string
  mac: string
  netmask: string
  /** `unicast` or `2`, `broadcast` or `1`. */
  type: string
}

export interface PacketSender {
  /** Rejects when none of the packets could be sent. */
  send(target: WakeTarget): Promise<void>
  close(): void
}

export interface WakeOptions {
  /** Option `wol.interface`. */
  interface?: string
  /** Default: the discard port, as is usual; tests use another. */
  port?: number
}

const discardPort = 9

/** Six times FF, then sixteen times the hardware address of 12 hex digits. */
export function magicPacket(mac: string): Buffer {
  return Buffer.from('ff'.repeat(6) + mac.repeat(16), 'hex')
}

/** The broadcast address of the network of `ip`: `ip | ~netmask`. */
export function broadcastOf(ip: string, netmask: string): string {
  const mask = netmask.split('.').map(Number)
  return ip
    .split('.')
    .map((part, index) => (Number(part) | ~(mask[index] ?? 255)) & 255)
    .join('.')
}

/** Opens one socket for all packets. */
export async function openPacketSender(options: WakeOptions, log: Log): Promise<PacketSender> {
  const port = options.port ?? discardPort
  const socket = createSocket('udp4').unref()
  socket.bind(0)
  await once(socket, 'listening')
  socket.setBroadcast(true)
  socket.on('error', error => log.error('wake', 'UDP socket failed', error))

  /** Resolves to the reason for which the packet was not sent. */
  const transmit = (packet: Buffer, address: string) =>
    new Promise<string | undefined>(resolve => {
      socket.send(packet, port, address, error => resolve(error ? `${address}: ${error.message}` : undefined))
    })

  return {
    async send({ ip, mac, netmask, type }) {
      const kind = { '1': 'broadcast', '2': 'unicast' }[type] ?? type
      if (kind !== 'broadcast' && kind !== 'unicast') log.warn(`wake ${ip}`, `unknown type ${type}, sent as broadcast`)
      const addresses =
        kind === 'unicast' ? [ip] : [...interfaceBroadcasts(options.interface, log), broadcastOf(ip, netmask)]
      const failures = await Promise.all([...new Set(addresses)].map(address => transmit(magicPacket(mac), address)))
      const reasons = failures.filter(failure => failure !== undefined)
      // One packet is enough to wake the computer, so only a failure of all is an error.
      if (reasons.length === failures.length) throw new Error(`no magic packet sent: ${reasons.join(', ')}`)
      for (const reason of reasons) log.warn(`wake ${ip}`, reason)
    },
    close: () => socket.close(),
  }
}

function interfaceBroadcasts(name: string | undefined, log: Log): string[] {
  if (name === undefined) return []
  const addresses = networkInterfaces()[name]
  if (!addresses) log.warn('wake', `wol.interface: expected a network interface, got ${name}`)
  return (addresses ?? []).flatMap(({ family, address, netmask }) =>
    family === 'IPv4' ? [broadcastOf(address, netmask)] : [],
  )
}
