// The names of filesystems, and the colours and words of partitions.
import type { PartitionAnswer } from '../../../contract/answers.ts'
import { t } from '../language/translate.ts'

/** By their ids, which are fixed; further ones are names that agents have reported. */
const filesystems = (
  ' EMPTY CACHE BTRFS EXT2 EXT3 EXT4 FAT12 FAT16 FAT32 HFS HFSPLUS JFS NTFS REISERFS REISER4 UFS XFS EXFAT ' +
  'LINUX-SWAP F2FS NILFS2'
).split(' ')

/** Of partitions whose filesystem no agent has named, by their types in tables of both kinds. */
const typeNames: Readonly<Record<number, string>> = { 7: 'Windows', 1792: 'Windows', 131: 'Linux', 33536: 'Linux' }

export const filesystemName = ({ filesystem, code }: PartitionAnswer): string =>
  filesystems[filesystem] || typeNames[code] || t('computer.type', { code: code.toString(16).toUpperCase() })

/** The class of its colour. */
export function toneOf(partition: PartitionAnswer): 'warn' | 'blue' | 'violet' | 'quiet' {
  const name = filesystemName(partition)
  if (/^(NTFS|FAT|EXFAT|Windows)/.test(name)) return 'blue'
  if (/^(EXT|BTRFS|XFS|JFS|REISER|F2FS|NILFS|Linux)/.test(name)) return 'warn'
  return name === 'CACHE' ? 'violet' : 'quiet'
}

const tables: Record<number, string> = { 1: 'MSDOS', 2: 'GPT' }

/** The kind of the partition table of a disk, '' when it has none. */
export const tableName = ({ code }: PartitionAnswer): string => tables[code] ?? ''

const kibibyte = 1024

export const bytesOf = ({ size }: PartitionAnswer): number => size * kibibyte
