// Stores the disks that agents report, and parses their hardware and software lists.
import type { HardwareItem, Software, Store } from '../../stores/store.ts'
import type { Client, DiskEntry, InventoryReply, InventoryService } from '../services.ts'

/** The filesystem ids of existing consoles: the index is the id. Other names get the next free ids from the store. */
const filesystems = (
  ' EMPTY CACHE BTRFS EXT2 EXT3 EXT4 FAT12 FAT16 FAT32 HFS HFSPLUS JFS NTFS REISERFS REISER4 UFS XFS EXFAT ' +
  'LINUX-SWAP F2FS NILFS2'
).split(' ')

// A map, as an agent may send any word, also `constructor`.
const hardwareTypes = new Map([
  ['boa', 'mainboard'],
  ['mul', 'multimedia device'],
  ['net', 'network card'],
  ['cpu', 'processor'],
  ['mem', 'memory'],
  ['vga', 'graphics card'],
  ['dis', 'disk'],
  ['aud', 'sound device'],
  ['mod', 'computer model'],
  ['bio', 'BIOS'],
  ['cdr', 'optical drive'],
  ['ide', 'IDE controller'],
  ['fir', 'FireWire controller'],
  ['usb', 'USB controller'],
  ['bus', 'system bus'],
  ['cha', 'chassis'],
  ['sto', 'storage controller'],
  ['boo', 'boot firmware'],
])

export function createInventory(store: Store): InventoryService {
  async function filesystemIds(names: string[]): Promise<number[]> {
    const unknown = [...new Set(names.filter(name => !filesystems.includes(name)))]
    const storeIds = unknown.length === 0 ? [] : await store.filesystems(unknown)
    // The store's ids begin at 1; they follow the last id of the table.
    const idOf = new Map(unknown.map((name, index) => [name, filesystems.length - 1 + (storeIds[index] ?? 0)]))
    return names.map(name => idOf.get(name) ?? filesystems.indexOf(name))
  }

  return {
    async refresh(reply: InventoryReply, client: Client): Promise<boolean> {
      if (reply.link !== undefined) client.setSpeed(reply.link)
      if (reply.status !== undefined) client.setStatus(reply.status)
      if (!reply.disk_setup && !reply.partition_setup) return true
      const entries = [...(reply.disk_setup ?? []), ...(reply.partition_setup ?? [])]
      const ids = await filesystemIds(entries.map(filesystemName))
      const rows = entries.map((entry, index) => ({ ...rowOf(entry), filesystem: ids[index] ?? 0 }))
      return store.inventory.refresh(client.addr, { rows, serial_number: reply.serial_number ?? '' })
    },

    parseHardware(lines): HardwareItem[] {
      return lines.split(/\r?\n/).flatMap(line => {
        const separator = line.indexOf('=')
        if (separator < 0) return []
        const mnemonic = line.slice(0, separator).trim()
        return [{ type: hardwareTypes.get(mnemonic) ?? mnemonic, description: line.slice(separator + 1).trim() }]
      })
    },

    parseSoftware(lines): Software {
      const [os = '', ...programs] = lines.split(/\r?\n/).map(line => line.trim())
      return { os, programs: programs.filter(program => program !== '') }
    },
  }
}

/** Partition 0 is the disk itself, which has no filesystem; what the agent sends for it is ignored. */
const filesystemName = ({ partition, filesystem }: DiskEntry) =>
  Number(partition) === 0 ? '' : filesystem.toUpperCase()

/** 0 for a text that is not a number or has a value that no disk can have. */
function toInteger(text: string): number {
  const number = Math.round(Number(text))
  return Number.isSafeInteger(number) && number > 0 ? number : 0
}

function rowOf({ disk, partition, code, os, size, used_size }: DiskEntry) {
  return {
    disk: Number(disk),
    partition: Number(partition),
    code: /^[0-9a-f]{1,8}$/i.test(code) ? Number.parseInt(code, 16) : 0,
    size: toInteger(size),
    used_size: Math.min(toInteger(used_size), 100),
    os: os.trim(),
  }
}
