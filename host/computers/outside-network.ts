// Finds computers whose addresses do not fit the network of their room: allowed, but mostly a typing error.
import { isIPv4 } from 'node:net'
import type { Frozen, Room, Store } from '../../stores/store.ts'
import type { Changer } from '../contract/services.ts'
import { broadcastOf, subnetOf } from '../system/networks.ts'

/** Undefined for an address of the network that a computer may have, and for every one in a room without a gateway. */
export function outsideNetwork(ip: string, { name, gateway, netmask }: Frozen<Room>): string | undefined {
  if (!isIPv4(gateway)) return undefined
  const network = subnetOf(gateway, netmask)
  if (subnetOf(ip, netmask) !== network)
    return `ip: ${ip} is not in ${network}, the network of room ${name} (gateway ${gateway})`
  if (ip === gateway) return `ip: ${ip} is the gateway of room ${name}`
  if (ip === broadcastOf(ip, netmask) || `${ip}/` === network.replace(/\d{1,2}$/, ''))
    return `ip: ${ip} is no address of a computer in ${network}, the network of room ${name}`
  return undefined
}

/** Warns of the first one of computers that have got into a room. */
export async function warnOfNetwork(
  store: { rooms: Pick<Store['rooms'], 'find'> },
  ips: readonly string[],
  id: number,
  changer: Changer | undefined,
): Promise<void> {
  const room = changer?.warn && (await store.rooms.find(id))
  if (!room) return
  const [first, ...others] = ips.flatMap(ip => outsideNetwork(ip, room) ?? [])
  if (first !== undefined) changer.warn?.(`${first}${others.length === 0 ? '' : `; and ${others.length} more`}`)
}
