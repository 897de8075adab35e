// The ids of filesystems: names of a fixed table, which existing consoles know, and further names that agents report.

/** The index of a name is its id. */
export const fixedFilesystems: readonly string[] = (
  ' EMPTY CACHE BTRFS EXT2 EXT3 EXT4 FAT12 FAT16 FAT32 HFS HFSPLUS JFS NTFS REISERFS REISER4 UFS XFS EXFAT ' +
  'LINUX-SWAP F2FS NILFS2'
).split(' ')

const idsByName = new Map(fixedFilesystems.map((name, id) => [name, id]))

/** Also the last id that a store of tables has assigned before the first report. */
export const lastFixedId = fixedFilesystems.length - 1

/** Undefined for a name outside the table. */
export const fixedFilesystem = (name: string): number | undefined => idsByName.get(name)

/** A name outside the table has a row in the store, whose ids begin at 1; they follow the last id of the table. */
export const toFilesystemId = (row: number): number => lastFixedId + row

/** The row of a name outside the table, 0 for the ids of the table. */
export const toFilesystemRow = (id: number): number => Math.max(0, id - lastFixedId)
