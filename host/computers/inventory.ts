// Stores the disks that agents report, and parses their hardware and software lists.
import { sizeIn } from '../../stores/rules/search/search-fields.ts'
import { splitVersion } from '../../stores/rules/search/versions.ts'
import type { HardwareItem, Software, Store } from '../../stores/store.ts'
import { refuse } from '../contract/refusal.ts'
import type { Client, DiskEntry, InventoryReply, InventoryService } from '../contract/services.ts'
import { toPrintable } from '../log/shown-text.ts'

/** Characters of names and serial numbers, and of lines of hardware and software; longer texts are cut. */
const [longestName, longestLine] = [64, 256]

/** A name as it is stored of what agents report. */
export const toName = (text: string): string => toPrintable(text, longestName)

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
  return {
    async refresh(reply: InventoryReply, client: Client): Promise<boolean> {
      if (reply.link !== undefined) client.setSpeed(reply.link)
      if (reply.status !== undefined) client.setStatus(reply.status)
      if (!reply.disk_setup && !reply.partition_setup) return true
      const entries = [...(reply.disk_setup ?? []), ...(reply.partition_setup ?? [])]
      return store.inventory.refresh(client.addr, {
        rows: entries.map(rowOf),
        serial_number: toName(reply.serial_number ?? ''),
      })
    },

    compareIds(sent, reply) {
      // As numbers, because numbers are what is stored: 01 is 1.
      const key = Object.keys(sent).find(each => Number(reply[each]) !== Number(sent[each]))
      return key === undefined ? undefined : refuse(`${key}: expected ${sent[key]}, got ${reply[key]}`)
    },

    parseHardware(lines): HardwareItem[] {
      return lines.split(/\r?\n/).flatMap(line => {
        const separator = line.indexOf('=')
        if (separator < 0) return []
        const mnemonic = toName(line.slice(0, separator))
        const description = toPrintable(line.slice(separator + 1), longestLine)
        return [{ type: hardwareTypes.get(mnemonic) ?? mnemonic, description }]
      })
    },

    parseSoftware(lines): Software {
      const [os = '', ...programs] = lines.split(/\r?\n/)
      const printable = programs.map(program => toPrintable(program, longestLine))
      return { os: toName(os), programs: printable.filter(program => program !== '') }
    },

    splitProgram: splitVersion,
    sizeOf: sizeIn,
  }
}

/** 0 for a text that is not a number or has a value that no disk can have. */
function toInteger(text: string): number {
  const number = Math.round(Number(text))
  return Number.isSafeInteger(number) && number > 0 ? number : 0
}

function rowOf({ disk, partition, code, filesystem, os, size, used_size }: DiskEntry) {
  return {
    disk: Number(disk),
    partition: Number(partition),
    code: /^[0-9a-f]{1,8}$/i.test(code) ? Number.parseInt(code, 16) : 0,
    size: toInteger(size),
    used_size: Math.min(toInteger(used_size), 100),
    // Partition 0 is the disk itself, which has no filesystem; what the agent sends for it is ignored.
    filesystem: Number(partition) === 0 ? '' : toName(filesystem.toUpperCase()),
    os: toName(os),
  }
}
