// The rows of disks and partitions in the reply to a refresh.

/** `size` in KiB, `used_size` in percent, `code` of a disk: 1 MSDOS, 2 GPT, 0 none. */
export interface DiskRow {
  disk: string
  partition: string
  code: string
  filesystem: string
  os: string
  size: string
  used_size: string
}

export interface DiskLists {
  disk_setup: DiskRow[]
  partition_setup: DiskRow[]
}

/** What the daemon takes in one reply. */
export const [mostDisks, mostPartitions] = [64, 192]

export const toKib = (bytes: unknown): string => String(Math.floor(Number(bytes) / 1024))

/** Types of GPT partitions by the beginning of their GUID, as codes of sgdisk. */
const gptCodes: Record<string, string> = {
  c12a7328: 'EF00',
  '21686148': 'EF02',
  ebd0a0a2: '700',
  e3c9e316: 'C01',
  de94bba4: '2700',
  '0fc63daf': '8300',
  '0657fd6d': '8200',
  '933ac7e1': '8302',
  '4f68bce3': '8304',
  e6d6d379: '8E00',
  a19d880f: 'FD00',
}

/** `guid`: without braces. '0' for an unknown one. */
export const gptCode = (guid: string): string => gptCodes[guid.slice(0, 8).toLowerCase()] ?? '0'
