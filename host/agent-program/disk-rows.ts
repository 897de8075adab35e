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
