// Lists disks and partitions with the space that is used, from the CIM classes of Windows 8 and newer.
import { type DiskLists, gptCode, mostDisks, mostPartitions, toKib } from '../../agent-program/disk-rows.ts'
import { listOf, toList, type Values } from './cim-values.ts'

/** An expression of PowerShell. Buses: 7 is USB, 14 a file, 15 virtual. */
export const diskExpression = `@{
disks = @(Get-CimInstance -Namespace root/Microsoft/Windows/Storage -ClassName MSFT_Disk |
  Where-Object { $_.BusType -notin 7, 14, 15 -and $_.Size -gt 0 } | Sort-Object Number |
  Select-Object Number, Size, PartitionStyle)
partitions = @(Get-CimInstance -Namespace root/Microsoft/Windows/Storage -ClassName MSFT_Partition |
  Select-Object DiskNumber, PartitionNumber, Size, GptType, MbrType, IsBoot, AccessPaths)
volumes = @(Get-CimInstance -ClassName Win32_Volume | Select-Object DeviceID, FileSystem, Capacity, FreeSpace)
}`

/** `answer`: what the expression resolves to. */
export function toDiskLists(answer: unknown, osName: string): DiskLists {
  const disks = listOf(answer, 'disks').slice(0, mostDisks)
  const volumes = new Map(listOf(answer, 'volumes').map(volume => [String(volume.DeviceID).toLowerCase(), volume]))
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
  code: PartitionStyle === 1 || PartitionStyle === 2 ? String(PartitionStyle) : '0',
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
    .map(path => volumes.get(String(path).toLowerCase()))
    .find(volume => volume !== undefined)
}

/** Hexadecimal without 0x; '0' for an unknown one. */
function codeOf({ GptType, MbrType }: Values): string {
  if (typeof GptType === 'string') return gptCode(GptType.replace('{', ''))
  return typeof MbrType === 'number' ? MbrType.toString(16).toUpperCase() : '0'
}
