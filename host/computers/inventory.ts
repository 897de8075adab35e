// What refresh and setup store of a computer's disks, and the code tables of the agents' inventories.

import type { HardwareItem, Software, Store } from '../../stores/store.ts'
import type { Client, DiskEntry, InventoryReply, InventoryService } from '../services.ts'

/** Filesystem ids that consoles know; the index is the id. Names beyond them get the next ids. */
const filesystems = (
  ' EMPTY CACHE BTRFS EXT2 EXT3 EXT4 FAT12 FAT16 FAT32 HFS HFSPLUS JFS NTFS REISERFS REISER4 UFS XFS EXFAT ' +
  'LINUX-SWAP F2FS NILFS2'
).split(' ')

// A map: an agent may send any word, also one that every object has.
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
    const further = unknown.length === 0 ? [] : await store.filesystems(unknown)
    // The store counts from 1, after the last id of the table.
    const beyond = new Map(unknown.map((name, index) => [name, filesystems.length - 1 + (further[index] ?? 0)]))
    return names.map(name => beyond.get(name) ?? filesystems.indexOf(name))
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

    hardware(lines): HardwareItem[] {
      return lines.split(/\r?\n/).flatMap(line => {
        const at = line.indexOf('=')
        if (at < 0) return []
        const mnemonic = line.slice(0, at).trim()
        return [{ type: hardwareTypes.get(mnemonic) ?? mnemonic, description: line.slice(at + 1).trim() }]
      })
    },

    software(lines): Software {
      const [os = '', ...programs] = lines.split(/\r?\n/).map(line => line.trim())
      return { os, programs: programs.filter(program => program !== '') }
    },
  }
}

/** The row of a disk itself has no filesystem, whatever the agent says. */
const filesystemName = ({ partition, filesystem }: DiskEntry) =>
  Number(partition) === 0 ? '' : filesystem.toUpperCase()

/** What is no number counts as 0; what no disk can be is no number. */
function whole(text: string): number {
  const number = Math.round(Number(text))
  return Number.isSafeInteger(number) && number > 0 ? number : 0
}

function rowOf({ disk, partition, code, os, size, used_size }: DiskEntry) {
  return {
    disk: Number(disk),
    partition: Number(partition),
    code: /^[0-9a-f]{1,8}$/i.test(code) ? Number.parseInt(code, 16) : 0,
    size: whole(size),
    used_size: Math.min(whole(used_size), 100),
    os: os.trim(),
  }
}
