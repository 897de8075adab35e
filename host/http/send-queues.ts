// Reads how many bytes of each TCP connection the system has accepted, and the peer has not acknowledged.
import { readFile } from 'node:fs/promises'
import { isIPv4, isIPv6, type Socket } from 'node:net'
import { groupsOf, plainAddress } from '../system/networks.ts'

/** By both ports and the peer's address. */
export type SendQueues = ReadonlyMap<string, number>

/**
 * Columns: number, own address and port, those of the peer, state, and the bytes to send and to read: all hexadecimal.
 * A socket for both versions has the IPv4 address of its peer behind a prefix.
 */
const row = /^ *\d+: [\dA-F]+:([\dA-F]{4}) (?:0{16}F{4}0{4})?([\dA-F]{8,32}:[\dA-F]{4}) [\dA-F]{2} ([\dA-F]{8}):/gm

/** Empty where the system has no such table. */
export async function readSendQueues(): Promise<SendQueues> {
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].map(path => readFile(path, 'latin1').catch(() => ''))
  return sendQueuesIn(await Promise.all(tables))
}

export function sendQueuesIn(tables: readonly string[]): SendQueues {
  const queues = new Map<string, number>()
  for (const table of tables) {
    for (const [, port = '', peer = '', bytes = ''] of table.matchAll(row)) {
      queues.set(`${port} ${peer}`, Number.parseInt(bytes, 16))
    }
  }
  return queues
}

/** Undefined when it is not known, as for a socket that has closed. */
export function sendQueueOf(
  { localPort, remoteAddress = '', remotePort }: Pick<Socket, 'localPort' | 'remoteAddress' | 'remotePort'>,
  queues: SendQueues,
): number | undefined {
  const address = bytesOf(plainAddress(remoteAddress))
  // The system prints words of four bytes, the lowest first.
  const peer = address && Buffer.from(address).swap32().toString('hex').toUpperCase()
  return queues.get(`${hexPort(localPort)} ${peer}:${hexPort(remotePort)}`)
}

function bytesOf(address: string): number[] | undefined {
  if (isIPv4(address)) return address.split('.').map(Number)
  return isIPv6(address) ? groupsOf(address).flatMap(group => [group >> 8, group & 255]) : undefined
}

const hexPort = (port = 0): string => port.toString(16).toUpperCase().padStart(4, '0')
