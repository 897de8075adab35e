// Reads the layout that a setup requests of a disk, and writes it for sfdisk.

/** One partition of the layout. */
export interface LayoutPartition {
  partition: number
  /** KiB. */
  size: number
  type: PartitionType
  filesystem: string
  /** False: the partition that is there is kept with what is on it. */
  isFormatted: boolean
}

export interface Layout {
  label: 'gpt' | 'dos'
  /** The number of the disk, from 1. */
  disk: number
  partitions: LayoutPartition[]
}

interface PartitionType {
  gpt: string
  dos: string
}

const [linuxData, windowsData] = ['0FC63DAF-8483-4772-8E79-3D69D8477DE4', 'EBD0A0A2-B9E5-4433-87C0-68B6B72699C7']

/** By the names of the request. */
const types: Record<string, PartitionType> = {
  LINUX: { gpt: linuxData, dos: '83' },
  NTFS: { gpt: windowsData, dos: '7' },
  FAT32: { gpt: windowsData, dos: 'c' },
  EFI: { gpt: 'C12A7328-F81F-11D2-BA4B-00A0C93EC93B', dos: 'ef' },
  'LINUX-SWAP': { gpt: '0657FD6D-A4AB-43C4-84E5-0933C84B4F4F', dos: '82' },
  CACHE: { gpt: linuxData, dos: 'ca' },
}

/** Those that make a file system on a device, by the names of the request. */
const makers: Record<string, [program: string, ...args: string[]]> = {
  EXT4: ['mkfs.ext4', '-q', '-F'],
  NTFS: ['mkfs.ntfs', '--quick', '--force'],
  FAT32: ['mkfs.vfat', '-F', '32'],
  'LINUX-SWAP': ['mkswap', '--force'],
  CACHE: ['mkfs.ext4', '-q', '-F', '-L', 'CACHE'],
  EMPTY: ['wipefs', '--all', '--force'],
}

/** What makes the file system of a partition, without its device. */
export function makerOf({ filesystem }: LayoutPartition): [program: string, ...args: string[]] {
  const maker = makers[filesystem]
  if (!maker) throw new Error(`filesystem: expected ${Object.keys(makers).join(', ')}, got ${filesystem}`)
  return maker
}

const labels: Record<string, Layout['label']> = { MSDOS: 'dos', GPT: 'gpt' }

const nameOf = (label: Layout['label']) => Object.keys(labels).find(name => labels[name] === label)

/** Throws the reason why the request, the body of a setup, cannot be done on any disk. */
export function readLayout(body: unknown): Layout {
  const label = labels[textOf(body, 'type')]
  if (!label) throw new Error(`type: expected MSDOS or GPT, got ${textOf(body, 'type')}`)
  const slots = readKey(body, 'partition_setup')
  const partitions = (Array.isArray(slots) ? slots : []).flatMap(toPartition)
  if (textOf(body, 'cache') === '1' && !partitions.some(({ type }) => type === types.CACHE))
    partitions.push(...toPartition({ ...cache, size: textOf(body, 'cache_size') }))
  const numbers = partitions.map(({ partition }) => partition)
  const twice = numbers.find((number, index) => numbers.indexOf(number) !== index)
  if (twice !== undefined) throw new Error(`partition_setup: expected partition ${twice} once, got it twice`)
  if (label === 'dos' && numbers.some(number => number > 4))
    throw new Error('partition_setup: expected at most 4 partitions with MSDOS, got more')
  return { label, disk: numberOf(body, 'disk'), partitions }
}

/** Of a disk whose request asks for a cache without saying which partition it is. */
const cache = { partition: 4, code: 'CACHE', filesystem: 'CACHE', format: 1 }

/** None for a number without a partition. */
function toPartition(slot: unknown): LayoutPartition[] {
  const code = textOf(slot, 'code')
  if (code === 'EMPTY') return []
  const type = types[code]
  if (!type) throw new Error(`code: expected EMPTY, ${Object.keys(types).join(', ')}, got ${code}`)
  const numbers = { partition: numberOf(slot, 'partition'), size: numberOf(slot, 'size') }
  const partition = {
    ...numbers,
    type,
    filesystem: textOf(slot, 'filesystem'),
    isFormatted: textOf(slot, 'format') === '1',
  }
  if (partition.isFormatted) makerOf(partition)
  return [partition]
}

/** In sectors of 512 bytes. */
export interface Extent {
  start: number
  size: number
}

export interface KeptPartition extends Extent {
  /** Identity, name, attributes and whether it is bootable, as sfdisk writes them. */
  attributes: readonly string[]
}

/** A disk with the partitions that are on it, by their numbers. */
export interface DiskTable {
  /** Sectors. */
  size: number
  /** The kind and the identity of its table, as sfdisk writes them; '' without one. */
  label: string
  id: string
  partitions: ReadonlyMap<number, KeptPartition>
}

/** Sectors: partitions begin at multiples of 1 MiB, and GPT has a copy of its table at the end. */
const [alignment, tableCopy] = [2048, 34]

/**
 * The input of sfdisk, with all places: without them it would make a partition smaller that does not fit. Throws the reason
 * when the layout does not fit, or a partition to keep is not there.
 */
export function sfdiskInput(layout: Layout, table: DiskTable): string {
  const { label } = layout
  const keepsSome = layout.partitions.some(({ isFormatted }) => !isFormatted)
  if (keepsSome && table.label !== label)
    throw new Error(`type: expected that of the disk, as partitions are kept, got ${nameOf(label)}`)
  const kept = layout.partitions.filter(({ isFormatted }) => !isFormatted).map(each => keep(each, table))
  const lines = layout.partitions.map(each => {
    const extent = kept.find(({ partition }) => partition === each.partition)
    if (extent) return line(each, label, extent, extent.attributes.map(attribute => `, ${attribute}`).join(''))
    const made = place(each, kept, table)
    kept.push({ partition: each.partition, attributes: [], ...made })
    return line(each, label, made, '')
  })
  return [`label: ${label}`, ...(keepsSome && table.id !== '' ? [`label-id: ${table.id}`] : []), ...lines, ''].join(
    '\n',
  )
}

const line = ({ partition, type }: LayoutPartition, label: Layout['label'], { start, size }: Extent, more: string) =>
  `${partition} : start=${start}, size=${size}, type=${type[label]}${more}`

function keep({ partition, size }: LayoutPartition, { partitions }: DiskTable) {
  const extent = partitions.get(partition)
  if (!extent) throw new Error(`partition ${partition}: expected one to keep, got none`)
  const kib = Math.floor(extent.size / 2)
  if (kib !== size) throw new Error(`partition ${partition}: expected its ${kib} KiB, as it is kept, got ${size}`)
  return { partition, ...extent }
}

/** At the first place where it fits beside the others. */
function place({ partition, size: kib }: LayoutPartition, others: readonly Extent[], table: DiskTable): Extent {
  const size = kib * 2
  const ends = others.map(other => Math.ceil((other.start + other.size) / alignment) * alignment)
  const fits = (start: number) =>
    start + size <= table.size - tableCopy &&
    others.every(other => start + size <= other.start || start >= other.start + other.size)
  const start = [alignment, ...ends].sort((a, b) => a - b).find(fits)
  if (start === undefined) throw new Error(`partition ${partition}: expected ${kib} KiB that are free, got less`)
  return { start, size }
}

const readKey = (from: unknown, key: string): unknown => (from instanceof Object ? Reflect.get(from, key) : undefined)

const textOf = (from: unknown, key: string): string => String(readKey(from, key) ?? '')

function numberOf(from: unknown, key: string): number {
  const text = textOf(from, key)
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new Error(`${key}: expected a number from 1, got ${JSON.stringify(text)}`)
}
