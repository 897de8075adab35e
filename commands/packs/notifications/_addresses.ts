// Which addresses messages may go to: a name must not lead into the network of the server.
import { lookup as resolveName } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'

/** Private, local, reserved, and for groups: none of them is a server on the Internet. */
const notPublic = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]

/** The rest of IPv6, also what contains an IPv4 address, is refused. */
const publicV6 = listOf(['2000::/3'])
const tunnels = listOf(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'])
const privateV4 = listOf(notPublic)

function listOf(texts: readonly string[]): BlockList {
  const list = new BlockList()
  for (const text of texts) {
    const { address, bits, family } = parse(text)
    list.addSubnet(address, bits, family)
  }
  return list
}

/** Throws for anything else than an address, or a network such as 10.1.0.0/16. */
function parse(text: string) {
  const [address = '', length, ...rest] = text.trim().split('/')
  const version = isIP(address)
  const most = version === 4 ? 32 : 128
  const bits = length === undefined ? most : /^\d+$/.test(length) ? Number(length) : Number.NaN
  if (version === 0 || rest.length > 0 || !(bits <= most)) throw new Error(text)
  return { address, family: version === 4 ? ('ipv4' as const) : ('ipv6' as const), bits }
}

export function addressProblem(allowed: readonly string[]): string | undefined {
  for (const text of allowed) {
    try {
      parse(text)
    } catch {
      return `allowed: expected an address or a network such as 10.1.0.0/16, got ${text.slice(0, 100)}`
    }
  }
  return undefined
}

/** `allowed`: as in the settings. */
export function mayReach(address: string, allowed: readonly string[]): boolean {
  // An IPv4 address in an IPv6 one is the same receiver.
  const [, inner] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  const plain = inner ?? address
  const family = isIP(plain) === 4 ? 'ipv4' : 'ipv6'
  if (listOf(allowed).check(plain, family)) return true
  if (family === 'ipv4') return !privateV4.check(plain, family)
  return publicV6.check(plain, family) && !tunnels.check(plain, family)
}

export const refusedAddress = (host: string, address: string): string =>
  `${host}: ${address} is a private address that the setting allowed does not have`

/** Resolves names for a connection, which is then made to one of these addresses and no other. */
export function createLookup(allowed: readonly string[]): LookupFunction {
  return (host, options, callback) => {
    resolveName(host, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, '')
      const reachable = found.filter(({ address }) => mayReach(address, allowed))
      const [first] = reachable
      if (!first) return callback(new Error(refusedAddress(host, found[0]?.address ?? 'nothing')), '')
      if (options.all) callback(null, reachable)
      else callback(null, first.address, first.family)
    })
  }
}
