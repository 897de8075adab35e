// Magic packets: how a computer that is off is woken through its network card.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import type { Log } from '../system/log.ts'

export interface Sleeper {
  ip: string
  mac: string
  netmask: string
  /** `unicast` or `2`, `broadcast` or `1`. */
  type: string
}

export interface PacketSender {
  /** Rejects when no packet could be sent at all. */
  send(sleeper: Sleeper): Promise<void>
  close(): void
}

export interface WakeOptions {
  /** Option `wol.interface`. */
  interface?: string
  /** The discard port, by custom; tests choose another. */
  port?: number
}

const discardPort = 9

/** Six times FF, then sixteen times the hardware address of 12 hex digits. */
export function magicPacket(mac: string): Buffer {
  return Buffer.from('ff'.repeat(6) + mac.repeat(16), 'hex')
}

/** The broadcast address of the network that `ip` lies in: `ip | ~netmask`. */
export function broadcastOf(ip: string, netmask: string): string {
  const mask = netmask.split('.').map(Number)
  return ip
    .split('.')
    .map((part, index) => (Number(part) | ~(mask[index] ?? 255)) & 255)
    .join('.')
}

/** One socket for all packets; `close` lets it go. */
export async function openPacketSender(options: WakeOptions, log: Log): Promise<PacketSender> {
  const port = options.port ?? discardPort
  const socket = createSocket('udp4').unref()
  socket.bind(0)
  await once(socket, 'listening')
  socket.setBroadcast(true)
  socket.on('error', error => log.error('wake', 'the sending socket failed', error))

  const transmit = (packet: Buffer, target: string) =>
    new Promise<string | undefined>(resolve => {
      socket.send(packet, port, target, error => resolve(error ? `${target}: ${error.message}` : undefined))
    })

  return {
    async send({ ip, mac, netmask, type }) {
      const kind = { '1': 'broadcast', '2': 'unicast' }[type] ?? type
      if (kind !== 'broadcast' && kind !== 'unicast') log.warn(`wake ${ip}`, `unknown type ${type}, sent as broadcast`)
      const targets =
        kind === 'unicast' ? [ip] : [...interfaceBroadcasts(options.interface, log), broadcastOf(ip, netmask)]
      const failures = await Promise.all([...new Set(targets)].map(target => transmit(magicPacket(mac), target)))
      const reasons = failures.filter(failure => failure !== undefined)
      // One of two networks that cannot be reached does not keep the other from waking its computer.
      if (reasons.length === failures.length) throw new Error(`no magic packet sent: ${reasons.join(', ')}`)
      for (const reason of reasons) log.warn(`wake ${ip}`, reason)
    },
    close: () => socket.close(),
  }
}

function interfaceBroadcasts(name: string | undefined, log: Log): string[] {
  if (name === undefined) return []
  const found = networkInterfaces()[name]
  if (!found) log.warn('wake', `wol.interface: no interface is named ${name}`)
  return (found ?? []).flatMap(({ family, address, netmask }) =>
    family === 'IPv4' ? [broadcastOf(address, netmask)] : [],
  )
}
