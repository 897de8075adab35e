// Reads the requests of the daemon that copy an image, and finds the partition that they mean.
import { readDisks } from '../disk-list.ts'
import { runProgram, settleDevices, tryProgram } from '../machine.ts'
import { partitionDevice } from '../set-up-disk.ts'

/** Where the image comes from or goes to: a port of the daemon's server, for as long as the command runs. */
export interface Transfer {
  port: number
  ticket: string
  /** It may come to several computers at once. */
  multicast?: boolean
}

export interface PartitionRequest {
  disk: string
  partition: string
}

export interface CopyRequest extends PartitionRequest {
  /** Of the image. */
  id: string
  name: string
  repository: string
  transfer: Transfer
}

const readKey = (from: unknown, key: string): unknown => (from instanceof Object ? Reflect.get(from, key) : undefined)

/** '' without that key. */
export const textOf = (from: unknown, key: string): string => String(readKey(from, key) ?? '')

export const readPartitionRequest = (body: unknown): PartitionRequest => ({
  disk: textOf(body, 'disk'),
  partition: textOf(body, 'partition'),
})

/** Throws the reason when the daemon has sent no ticket: it issues them for its own repository. */
export function readCopyRequest(body: unknown): CopyRequest {
  const transfer = readKey(body, 'transfer')
  const port = Number(readKey(transfer, 'port'))
  const repository = textOf(body, 'repository')
  if (!Number.isInteger(port) || port < 1)
    throw new Error(
      `repository: expected that of this server, as this live system uses no other one, got ${repository}`,
    )
  return {
    ...readPartitionRequest(body),
    id: textOf(body, 'id'),
    name: textOf(body, 'name'),
    repository,
    transfer: { port, ticket: textOf(transfer, 'ticket'), multicast: readKey(transfer, 'multicast') === true },
  }
}

export interface Partition {
  device: string
  /** As lsblk names them; '' for none. */
  filesystem: string
  /** Bytes. */
  size: number
}

/** Rejects with the reason when it is not there, or is mounted. */
export async function findPartition(request: PartitionRequest, signal: AbortSignal): Promise<Partition> {
  await settleDevices(signal)
  const disk = (await readDisks(signal))[Number(request.disk) - 1]
  if (!disk) throw new Error(`disk: expected one of this computer, got ${request.disk}`)
  const device = partitionDevice(`/dev/${disk.kname}`, Number(request.partition))
  const read = (column: string) => runProgram('lsblk', ['--noheadings', '--bytes', '--output', column, device], signal)
  const size = await read('SIZE').catch(() => {
    signal.throwIfAborted()
    throw new Error(`disk ${request.disk}: expected a partition ${request.partition}, got none`)
  })
  const mountPoint = (await read('MOUNTPOINT')).trim()
  if (mountPoint !== '') throw new Error(`${device}: expected a partition that is not in use, got ${mountPoint}`)
  // From the partition itself: what lsblk knows may be older. It fails when there is none.
  const filesystem = (await tryProgram('blkid', ['--probe', '-o', 'value', '-s', 'TYPE', device], signal)) ?? ''
  return { device, filesystem: filesystem.trim(), size: Number(size.trim()) }
}
