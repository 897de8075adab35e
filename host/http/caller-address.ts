// Finds the address of a request's caller, which a listed proxy has put into the header X-Forwarded-For.
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { type Networks, networksOf, peerOf, plainAddress } from '../system/networks.ts'

/** Of requests that came from a proxy. */
const forwarded = new WeakMap<IncomingMessage, string>()

/** The caller's address: that of the connection, or the one that a proxy of `rest.proxies` has forwarded. */
export const callerOf = (req: IncomingMessage): string => forwarded.get(req) ?? peerOf(req.socket)

/** Returns what is to be called with each new request. */
export function createProxyReader(rest: { readonly proxies: readonly string[] }): (req: IncomingMessage) => void {
  return req => {
    const { proxies } = rest
    if (proxies.length === 0) return
    const networks = networksOf(proxies)
    if (!networks.has(peerOf(req.socket))) return
    const addr = findCaller(req.headers['x-forwarded-for'], networks)
    if (addr !== undefined) forwarded.set(req, addr)
  }
}

/**
 * The last address that is no proxy's: each proxy appends the address that it was called from, and what stands before may
 * come from the caller itself. With proxies only, the first one; undefined when there is none, or no address.
 */
function findCaller(header: string | string[] | undefined, networks: Networks): string | undefined {
  const list = [header ?? []].flat().join(',')
  let last: string | undefined
  for (let end = list.length; end > 0; ) {
    const start = list.lastIndexOf(',', end - 1) + 1
    const addr = plainAddress(list.slice(start, end).trim())
    if (isIP(addr) === 0) return undefined
    last = addr
    if (!networks.has(addr)) return addr
    end = start - 1
  }
  return last
}
