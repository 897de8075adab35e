// Lists disks and partitions with the space that is used, from lsblk and df.
import {
  type DiskLists,
  type DiskRow,
  gptCode,
  mostDisks,
  mostPartitions,
  toKib,
} from '../../agent-program/disk-rows.ts'
import { osName, runProgram, type SystemFiles, tryProgram } from './machine.ts'

/** Of lsblk, which lists partitions within their disks only with `name`; some versions print numbers and booleans. */
const columns = [
  ...(['name', 'kname', 'type', 'size', 'rm', 'tran', 'log-sec'] as const),
  ...(['fstype', 'label', 'mountpoint', 'parttype', 'pttype'] as const),
]

/** The size in bytes. */
type BlockDevice = Record<(typeof columns)[number], string> & { children: BlockDevice[] }

/** Disks that are memory, network or the boot areas of flash memory. */
const noDisk = /^(zram|ram|nbd|fd|loop)\d|boot\d$/

/** Reads what is on a partition that is not mounted: a device and the file system that lsblk finds on it. */
type ReadInstalled = (device: string, filesystem: string, signal?: AbortSignal) => Promise<Partial<DiskRow>>

/** Rejects when lsblk is missing or fails. */
export async function listDisks(
  files: SystemFiles,
  signal?: AbortSignal,
  readInstalled: ReadInstalled = async () => ({}),
): Promise<DiskLists> {
  const [disks, df] = await Promise.all([
    listDevices(signal),
    // Fails when one of many filesystems cannot be read.
    tryProgram('df', ['-P', '-k', '-l'], signal),
  ])
  const used = parseUsed(df ?? '')
  const partitions = disks.flatMap((disk, index) => partitionRows(disk, String(index + 1), used, files))
  const rows: DiskRow[] = []
  for (const { row, kname, fstype, mountPoints } of partitions.slice(0, mostPartitions)) {
    const installed = mountPoints.length === 0 ? await readInstalled(`/dev/${kname}`, fstype, signal) : {}
    rows.push({ ...row, ...installed })
  }
  return { disk_setup: disks.map(diskRow), partition_setup: rows }
}

interface Disk {
  kname: string
  /** Bytes. */
  size: number
  /** Bytes of a sector. */
  sector: number
  mountPoints: string[]
}

/** The disks in the order of their numbers, and what is mounted of each. Rejects when lsblk is missing or fails. */
export async function readDisks(signal: AbortSignal): Promise<Disk[]> {
  const disks = await listDevices(signal)
  return disks.map(disk => ({
    kname: disk.kname,
    size: Number(disk.size),
    sector: Number(disk['log-sec'] || 512),
    mountPoints: allMountPoints(disk),
  }))
}

/** The partition with the boot loaders of UEFI; undefined when the disk, a number from 1, has none. */
export async function readEfiPartition(disk: number, signal: AbortSignal) {
  const device = (await listDevices(signal))[disk - 1]
  const efi = device?.children.find(({ parttype }) => gptCode(parttype) === 'EF00')
  const partition = /[1-9]\d{0,2}$/.exec(efi?.kname ?? '')?.[0]
  return device && partition !== undefined ? { disk: `/dev/${device.kname}`, partition } : undefined
}

/** The partition with copies of images; undefined without one. */
export async function readCache(signal: AbortSignal): Promise<string | undefined> {
  const cache = (await listDevices(signal)).flatMap(({ children }) => children).find(isCache)
  return cache && `/dev/${cache.kname}`
}

/** As setups make it, and the family. */
const isCache = ({ label, fstype }: BlockDevice) => label === cacheName && fstype === 'ext4'

const cacheName = 'CACHE'

async function listDevices(signal?: AbortSignal): Promise<BlockDevice[]> {
  const json = await runProgram('lsblk', ['--json', '--bytes', '--output', columns.join().toUpperCase()], signal)
  return toDevices(JSON.parse(json), 'blockdevices').filter(isDisk).slice(0, mostDisks)
}

const isDisk = (device: BlockDevice) => {
  const { type, kname, size, rm } = device
  return type === 'disk' && Number(size) > 0 && !/^(1|true)$/.test(rm) && !noDisk.test(kname) && !isPlugged(device)
}

/** A USB disk that the system has not started from is somebody's: it must never be disk 1 of a layout. */
const isPlugged = (device: BlockDevice) => device.tran === 'usb' && !allMountPoints(device).includes('/')

const diskRow = ({ pttype, size }: BlockDevice, index: number) => ({
  disk: String(index + 1),
  partition: '0',
  code: pttype === 'gpt' ? '2' : pttype === 'dos' ? '1' : '0',
  filesystem: '',
  os: '',
  size: toKib(size),
  used_size: '0',
})

/** A filesystem that fills a disk without a partition table counts as its partition 1. */
function partitionRows(device: BlockDevice, disk: string, used: Map<string, string>, files: SystemFiles) {
  const partitions = device.children.filter(({ type }) => type === 'part')
  const listed = partitions.length === 0 && isInUse(device) ? [device] : partitions
  return listed.map((partition, index) => {
    const mountPoints = allMountPoints(partition)
    const isRoot = mountPoints.includes('/')
    const mountPoint = isRoot ? '/' : (mountPoints.find(each => used.has(each)) ?? '')
    const row: DiskRow = {
      disk,
      partition: files.read(`sys/class/block/${partition.kname}/partition`) || String(index + 1),
      code: isCache(partition) && partition.pttype === 'gpt' ? 'CA00' : partitionCode(partition.parttype),
      filesystem: isCache(partition) ? cacheName : filesystemName(partition.fstype),
      os: isRoot ? osName(files) : '',
      size: toKib(partition.size),
      used_size: used.get(mountPoint) ?? '0',
    }
    return { row, kname: partition.kname, fstype: partition.fstype, mountPoints }
  })
}

const isInUse = ({ fstype, mountpoint, children }: BlockDevice) =>
  fstype !== '' || mountpoint !== '' || children.length > 0

/** Also those of the volumes inside, as with encryption and LVM. */
const allMountPoints = ({ mountpoint, children }: BlockDevice): string[] => [
  ...(mountpoint === '' ? [] : [mountpoint]),
  ...children.flatMap(allMountPoints),
]

/** Percent by mount point, from `df -P`: device, blocks, used, available, percent, mount point. */
function parseUsed(df: string): Map<string, string> {
  const lines = df.split('\n').map(line => /^\S+ +\d+ +\d+ +-?\d+ +(\d+)% +(\S.*)$/.exec(line))
  return new Map(lines.flatMap(line => (line?.[1] && line[2] ? [[line[2], line[1]]] : [])))
}

const read = (parent: unknown, key: string): unknown =>
  parent instanceof Object ? Reflect.get(parent, key) : undefined

function toDevices(parent: unknown, key: string): BlockDevice[] {
  const list = read(parent, key)
  return Array.isArray(list) ? list.map(toDevice) : []
}

function toDevice(device: unknown): BlockDevice {
  const values = columns.map(column => [column, String(read(device, column) ?? '')])
  // `as`: it has all columns.
  return { ...Object.fromEntries(values), children: toDevices(device, 'children') } as BlockDevice
}

/** Hexadecimal without 0x, from the type as lsblk shows it: `0x83` or a GUID. '0' for an unknown one. */
function partitionCode(type: string): string {
  const number = /^0x([0-9a-f]{1,4})$/i.exec(type)?.[1]
  return number?.toUpperCase() ?? gptCode(type)
}

const filesystems: Record<string, string> = { '': 'EMPTY', vfat: 'FAT32', swap: 'LINUX-SWAP' }

/** In the words of inventories, from that of lsblk. */
export const filesystemName = (fstype: string): string => filesystems[fstype] ?? fstype.toUpperCase()
