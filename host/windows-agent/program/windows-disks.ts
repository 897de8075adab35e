// Lists disks and partitions with the space that is used, from the CIM classes of Windows 8 and newer.
import { type DiskLists, gptCode, mostDisks, mostPartitions, toKib } from '../../agent-program/disk-rows.ts'
import type { CimQueries } from './cim-query.ts'
import { listOf, toList, type Values } from './cim-values.ts'

const namespace = 'root/Microsoft/Windows/Storage'

export const diskQueries = {
  disks: { namespace, className: 'MSFT_Disk', properties: ['Number', 'Size', 'PartitionStyle', 'BusType'] },
  partitions: {
    namespace,
    className: 'MSFT_Partition',
    properties: ['DiskNumber', 'PartitionNumber', 'Size', 'GptType', 'MbrType', 'IsBoot', 'AccessPaths'],
  },
  volumes: { className: 'Win32_Volume', properties: ['DeviceID', 'FileSystem', 'Capacity', 'FreeSpace'] },
} satisfies CimQueries

/** Of what is no disk of the computer: USB, a file, virtual. */
const otherBuses = [7, 14, 15]

/** `answer`: what the queries resolve to; numbers may be texts. */
export function toDiskLists(answer: unknown, osName: string): DiskLists {
  const disks = listOf(answer, 'disks')
    .filter(({ BusType, Size }) => !otherBuses.includes(Number(BusType)) && Number(Size) > 0)
    .sort((a, b) => Number(a.Number) - Number(b.Number))
    .slice(0, mostDisks)
  const volumes = new Map(listOf(answer, 'volumes').map(volume => [volumeId(volume.DeviceID), volume]))
  const partitions = listOf(answer, 'partitions')
  const rows = disks.flatMap((disk, index) =>
    partitions
      .filter(({ DiskNumber }) => DiskNumber === disk.Number)
      .sort((a, b) => Number(a.PartitionNumber) - Number(b.PartitionNumber))
      .map(partition => partitionRow(partition, String(index + 1), volumeOf(partition, volumes), osName)),
  )
  return { disk_setup: disks.map(diskRow), partition_setup: rows.slice(0, mostPartitions) }
}

/** Windows has 1 for MBR and 2 for GPT, too, and 0 for a disk that it does not know. */
const diskRow = ({ PartitionStyle, Size }: Values, index: number) => ({
  disk: String(index + 1),
  partition: '0',
  code: ['1', '2'].find(code => code === String(PartitionStyle)) ?? '0',
  filesystem: '',
  os: '',
  size: toKib(Size),
  used_size: '0',
})

function partitionRow(partition: Values, disk: string, volume: Values | undefined, osName: string) {
  const filesystem = typeof volume?.FileSystem === 'string' ? volume.FileSystem.toUpperCase() : 'EMPTY'
  const [capacity, free] = [Number(volume?.Capacity ?? 0), Number(volume?.FreeSpace ?? 0)]
  return {
    disk,
    partition: String(partition.PartitionNumber),
    code: codeOf(partition),
    filesystem,
    os: partition.IsBoot === true ? osName : '',
    size: toKib(partition.Size),
    used_size: capacity > 0 ? String(Math.ceil(((capacity - free) / capacity) * 100)) : '0',
  }
}

/** A partition has the path of its volume, `\\\\?\\Volume{…}\\`, also without a letter. */
function volumeOf({ AccessPaths }: Values, volumes: Map<string, Values>): Values | undefined {
  return toList(AccessPaths)
    .map(path => volumes.get(volumeId(path)))
    .find(volume => volume !== undefined)
}

/** wmic may print backslashes twice. */
const volumeId = (path: unknown): string => /\{[0-9a-f-]+\}/.exec(String(path).toLowerCase())?.[0] ?? String(path)

/** Hexadecimal without 0x; '0' for an unknown one. */
function codeOf({ GptType, MbrType }: Values): string {
  if (typeof GptType === 'string') return gptCode(GptType.replace('{', ''))
  return Number(MbrType ?? 0)
    .toString(16)
    .toUpperCase()
}
