// Reads how many bytes of each TCP connection the system has accepted, and the peer has not acknowledged.
import { readFile } from 'node:fs/promises'
import { isIPv4, type Socket } from 'node:net'

/** By both ports and the peer's address. */
export type SendQueues = ReadonlyMap<string, number>

/** Columns: number, own address and port, those of the peer, state, and the bytes to send and to read: all hexadecimal. */
const row = /^ *\d+: [\dA-F]+:([\dA-F]{4}) [\dA-F]*([\dA-F]{8}:[\dA-F]{4}) [\dA-F]{2} ([\dA-F]{8}):/gm

/** Empty where the system has no such table. */
export async function readSendQueues(): Promise<SendQueues> {
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].map(path => readFile(path, 'latin1').catch(() => ''))
  const queues = new Map<string, number>()
  for (const table of await Promise.all(tables)) {
    for (const [, port = '', peer = '', bytes = ''] of table.matchAll(row)) {
      queues.set(`${port} ${peer}`, Number.parseInt(bytes, 16))
    }
  }
  return queues
}

/** Undefined when it is not known, as for a peer with an IPv6 address. */
export function sendQueueOf(
  { localPort, remoteAddress = '', remotePort }: Socket,
  queues: SendQueues,
): number | undefined {
  // A socket for both versions names IPv4 addresses so.
  const address = remoteAddress.replace(/^::ffff:/, '')
  if (!isIPv4(address)) return undefined
  const bytes = address.split('.').map(part => hex(Number(part), 2))
  return queues.get(`${hex(localPort, 4)} ${bytes.reverse().join('')}:${hex(remotePort, 4)}`)
}

const hex = (value = 0, digits: number): string => value.toString(16).toUpperCase().padStart(digits, '0')
