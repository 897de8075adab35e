// The codes of partitions and the names of filesystems, as agents of the family report them.

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

/** Hexadecimal without 0x, from the type as lsblk shows it: `0x83` or a GUID. '0' for an unknown one. */
export function partitionCode(type: string): string {
  const number = /^0x([0-9a-f]{1,4})$/i.exec(type)?.[1]
  return (number ?? gptCodes[type.slice(0, 8).toLowerCase()] ?? '0').toUpperCase()
}

/** The kind of partition table: 1 MSDOS, 2 GPT, 0 none. */
export const tableCode = (type: string): string => (type === 'gpt' ? '2' : type === 'dos' ? '1' : '0')

const filesystems: Record<string, string> = { '': 'EMPTY', vfat: 'FAT32', swap: 'LINUX-SWAP' }

/** From the name that lsblk shows. */
export const filesystemName = (name: string): string => filesystems[name] ?? name.toUpperCase()
