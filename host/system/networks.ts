// Addresses and networks, as options name them: 10.1.1.20, 10.1.0.0/16, 2001:db8::/32.
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'

type NetworkArguments = Parameters<BlockList['addSubnet']>

/** Undefined for a text that is neither an address nor a network. */
function parseNetwork(text: string): NetworkArguments | undefined {
  const [, address = '', digits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const version = isIP(address)
  const bits = version === 4 ? 32 : 128
  const prefix = Number(digits ?? bits)
  if (version === 0 || prefix > bits) return undefined
  return [address, prefix, version === 4 ? 'ipv4' : 'ipv6']
}

export const isNetwork = (text: string): boolean => parseNetwork(text) !== undefined

/** Whether only this machine can reach the address, or the name of a listener. */
export const isLoopback = (addr: string): boolean => /^(127\.|::1$|::ffff:127\.|localhost$)/i.test(addr)

/** IPv4 as such also where the server listens on IPv6. */
export function plainAddress(addr: string): string {
  if (!addr.startsWith('::')) return addr
  const inner = addr.replace(/^::ffff:/i, '')
  return isIPv4(inner) ? inner : addr
}

/** The address of the other end of a connection, '' when it had closed before it was asked for. */
export const peerOf = ({ remoteAddress = '' }: { remoteAddress?: string | undefined }): string =>
  plainAddress(remoteAddress)

/** What one caller can choose addresses of: of IPv6 the first 64 bits. */
export function networkOf(addr: string): string {
  if (!addr.includes(':') || !isIPv6(addr)) return addr
  const [head = [], tail = []] = addr.split('::').map(part => part.split(':').filter(Boolean))
  const zeros = Array(Math.max(0, 8 - head.length - tail.length)).fill('0')
  const groups = [...head, ...zeros, ...tail].slice(0, 4)
  return `${groups.map(group => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** Of IPv4: `10.1.2.0/24`. */
export function subnetOf(ip: string, netmask: string): string {
  const mask = netmask.split('.').map(Number)
  const bytes = ip.split('.').map((byte, at) => Number(byte) & (mask[at] ?? 255))
  const bits = mask.reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0)
  return `${bytes.join('.')}/${bits}`
}

/** The broadcast address of the network of `ip`: `ip | ~netmask`. */
export function broadcastOf(ip: string, netmask: string): string {
  const mask = netmask.split('.').map(Number)
  const bytes = ip.split('.').map((byte, index) => (Number(byte) | ~(mask[index] ?? 255)) & 255)
  return bytes.join('.')
}

const known = new WeakMap<readonly string[], Networks>()

/** Those of an option, which is another list after a reload: made once for each list. */
export function networksOf(texts: readonly string[]): Networks {
  const networks = known.get(texts) ?? new Networks(texts)
  known.set(texts, networks)
  return networks
}

export class Networks {
  readonly #list = new BlockList()

  /** Ignores texts for which `isNetwork` is false. */
  constructor(texts: readonly string[]) {
    for (const text of texts) {
      const network = parseNetwork(text)
      if (network) this.#list.addSubnet(...network)
    }
  }

  has(addr: string): boolean {
    return this.#list.check(addr, isIP(addr) === 6 ? 'ipv6' : 'ipv4')
  }
}
