// Wakes a computer with a magic packet, and lists it as WOL_SENT until its agent connects.
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import type { Store } from '../../stores/store.ts'
import type { FleetService, WakeService } from '../contract/services.ts'
import { type Log, message } from '../log/log.ts'
import { limitLog } from '../log/throttled-log.ts'
import type { Events } from '../system/events.ts'
import { endOfTick } from '../system/time-slices.ts'

/** Default of the port: the discard port, as is usual; tests use another. */
const discardPort = 9

interface WakeTarget {
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
      const addresses = new Set(kind === 'unicast' ? [ip] : broadcasts())
      const sent = await Promise.all(Array.from(addresses, address => transmit(magicPacket(mac), address)))
      const failures = sent.filter(reason => reason !== undefined)
      // One packet is enough to wake the computer, so only a failure of all is an error.
      if (failures.length === sent.length) throw new Error(`no magic packet sent: ${failures.join(', ')}`)
      for (const reason of failures) log.warn(`wake ${ip}`, reason)
    },
    close: () => socket.close(),
  }
}

/** Six times FF, then sixteen times the hardware address of 12 hex digits. */
export const magicPacket = (mac: string): Buffer => Buffer.from('ff'.repeat(6) + mac.repeat(16), 'hex')

/** The broadcast address of the network of `ip`: `ip | ~netmask`. */
export function broadcastOf(ip: string, netmask: string): string {
  const mask = netmask.split('.').map(Number)
  const bytes = ip.split('.').map((byte, index) => (Number(byte) | ~(mask[index] ?? 255)) & 255)
  return bytes.join('.')
}

function interfaceBroadcasts(name: string | undefined, log: Log): string[] {
  if (name === undefined) return []
  const addresses = networkInterfaces()[name]
  if (!addresses) log.warn('wake', `wol.interface: expected a network interface, got ${name}`)
  return (addresses ?? []).flatMap(({ family, address, netmask }) =>
    family === 'IPv4' ? [broadcastOf(address, netmask)] : [],
  )
}

interface WakeDeps {
  store: Pick<Store, 'computers' | 'rooms'>
  fleet: Pick<FleetService, 'has' | 'addWakeEntry'>
  packets: PacketSender
  log: Log
  events: Events
}

export function createWake({ store, fleet, packets, log, events }: WakeDeps): WakeService {
  const findTarget = createTargetLookup(store)
  const logOf = limitLog(log)

  /** What another host of the fleet has sent: this one may be in the computer's network. */
  async function sendAgain(ip: string, type: string): Promise<void> {
    try {
      const target = await findTarget(ip)
      if (target) await packets.send({ ip, ...target, type })
    } catch (error) {
      logOf('relayed').info('wake', `${ip}: packet of another host not sent by this one: ${message(error)}`)
    }
  }

  events.on(
    (event, isRelayed) => {
      if (isRelayed && event.type === 'wake-sent') void sendAgain(event.addr, event.kind ?? 'broadcast')
    },
    ['wake-sent'],
  )
  return {
    async send(ip, type) {
      if (fleet.has(ip)) return { result: 'skipped', reason: 'connected' }
      const target = await findTarget(ip)
      if (!target) return { result: 'skipped', reason: 'unknown' }
      fleet.addWakeEntry(ip, type)
      try {
        await packets.send({ ip, ...target, type })
        return { result: 'success' }
      } catch (error) {
        return { result: 'failure', reason: message(error) }
      }
    },
  }
}

type Target = Pick<WakeTarget, 'mac' | 'netmask'>

/** Looks up all addresses of one tick together: a whole room is woken by one request. */
function createTargetLookup({ computers, rooms }: WakeDeps['store']): (ip: string) => Promise<Target | undefined> {
  let ips: string[] = []
  let targets: Promise<Map<string, Target>> | undefined

  async function read(): Promise<Map<string, Target>> {
    await endOfTick()
    const asked = ips
    ips = []
    targets = undefined
    const netmasks = new Map((await rooms.list()).map(({ id, netmask }) => [id, netmask]))
    return new Map(
      (await computers.findMany(asked)).flatMap(({ ip, mac, room }) => {
        const netmask = netmasks.get(room)
        return netmask === undefined ? [] : [[ip, { mac, netmask }]]
      }),
    )
  }

  return async ip => {
    ips.push(ip)
    targets ??= read()
    return (await targets).get(ip)
  }
}
