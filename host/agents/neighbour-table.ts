// Reads the kernel's neighbour table: the hardware addresses of computers on the server's own segments.
import { readFile } from 'node:fs/promises'

const kernelTable = '/proc/net/arp'

/** An entry of Ethernet or wireless networks: address, flags, hardware address. */
const entry = /^(\S+) +0x1 +(0x[\da-f]+) +((?:[\da-f]{2}:){5}[\da-f]{2}) /gm
/** The flag of an entry whose hardware address is known. */
const complete = 0x2

/**
 * Maps each address to its hardware addresses, 12 hex digits each: one for each network interface of the server.
 * Rejects when the table cannot be read.
 */
export async function readNeighbourTable(file = kernelTable): Promise<Map<string, string[]>> {
  const text = await readFile(file, 'utf8')
  const macs = new Map<string, string[]>()
  for (const [, addr = '', flags, mac = ''] of text.matchAll(entry)) {
    if ((Number(flags) & complete) === 0) continue
    const others = macs.get(addr) ?? []
    macs.set(addr, [...others, mac.replaceAll(':', '').toLowerCase()])
  }
  return macs
}
