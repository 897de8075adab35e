// The data of a simulated computer: its disk, hardware and installed programs.

import { list, text } from './fields.ts'

/** What runs on a computer. */
export type System = 'oglive' | 'linux' | 'windows'

export interface ComputerSpec {
  name: string
  ip: string
  mac: string
  /** Counts the computers of the whole lab from 1. */
  number: number
  /** What it runs when the lab starts; without it, it stays off. */
  starts?: System | undefined
  /** Its scripts and inventories fail. */
  isBroken?: boolean
}

/** A row of disk_setup or partition_setup, as agents send it: all strings, sizes in KiB, `used_size` in percent. */
export type Row = Record<'disk' | 'partition' | 'code' | 'filesystem' | 'os' | 'size' | 'used_size', string>

const diskSize = '488386584' // KiB, a disk of 500 GB
export const windows = 'Windows 10 Pro 64 bits'
export const linux = 'Ubuntu 24.04 LTS 64 bits'
const codes: Record<string, string> = { NTFS: '7', FAT32: 'C', CACHE: 'CA', 'LINUX-SWAP': '82', EMPTY: '0' }

const row = (partition: string, code: string, filesystem: string, os: string, size: string, used_size: string): Row => {
  return { disk: '1', partition, code, filesystem, os, size, used_size }
}

/** The row of the disk itself; partition table 1 is MSDOS, 2 is GPT. */
export const disk = (table = '1'): Row => row('0', table, '', '', diskSize, '0')

export const partitions = ({ number }: ComputerSpec): Row[] => [
  row('1', '7', 'NTFS', windows, '157286400', String(30 + (number % 20))),
  row('2', '83', 'EXT4', linux, '104857600', `${20 + (number % 15)}.${number % 10}`),
  row('3', '82', 'LINUX-SWAP', '', '8388608', '0'),
  row('4', 'CA', 'CACHE', '', '104857600', `${10 + (number % 50)}`),
]

/** The rows after a setup: every partition is new and has no operating system. */
export function partitioned(setup: unknown): Row[] {
  const rows = list(setup, 'partition_setup').map(entry => {
    const filesystem = text(entry, 'filesystem').toUpperCase()
    return row(text(entry, 'partition'), codes[filesystem] ?? '83', filesystem, '', text(entry, 'size'), '0')
  })
  return rows
    .filter(({ code, size }) => code !== '0' && size !== '0' && size !== '')
    .map(each => ({ ...each, disk: text(setup, 'disk') || '1' }))
}

export const serial = ({ number }: ComputerSpec) => `LAB${String(number).padStart(6, '0')}`

export const hardware = ({ mac, number }: ComputerSpec) =>
  [
    'mod=OptiPlex 7090 Desktop',
    'boa=Dell Inc. 0NC2VH A01',
    'bio=Dell Inc. 1.18.1',
    `cpu=Intel(R) Core(TM) i${number % 3 === 0 ? 7 : 5}-10505 CPU @ 3.20GHz`,
    `mem=DDR4 ${number % 4 === 0 ? 32 : 16} GiB`,
    'vga=Intel Corporation CometLake-S GT2 [UHD Graphics 630]',
    `net=Intel Corporation Ethernet Connection (14) I219-LM ${mac}`,
    'dis=KIOXIA KBG40ZNS512G NVMe 512 GB',
    'aud=Intel Corporation Tiger Lake-H HD Audio Controller',
    'usb=Intel Corporation Tiger Lake-H USB 3.2 Gen 2x1 xHCI',
    'boo=UEFI',
  ].join('\n')

/** What its agent reports of disk and file systems, as smartctl says it: some disks wear out, and some are failing. */
export function diskHealth({ number }: ComputerSpec, rows: readonly Row[]) {
  const filesystems = rows
    .filter(({ filesystem }) => filesystem === 'EXT4' || filesystem === 'CACHE')
    .map(({ filesystem, size, used_size }) => {
      const used = Math.round((Number(size) * Number(used_size)) / 100)
      return { mount: filesystem === 'CACHE' ? '/opt/cache' : '/', used, free: Number(size) - used }
    })
  const log = {
    critical_warning: number % 8 === 0 ? 4 : 0,
    media_errors: number % 8 === 0 ? 3 : 0,
    percentage_used: number % 4 === 2 ? 84 : 7 + (number % 9),
    temperature: 34 + (number % 7),
    power_on_hours: 4100 + 37 * number,
    available_spare: 100,
    available_spare_threshold: 10,
  }
  const nvme = {
    name: 'nvme0n1',
    model_name: 'KIOXIA KBG40ZNS512G',
    serial_number: `KX${String(number).padStart(8, '0')}`,
    user_capacity: { bytes: 512_110_190_592 },
    smart_status: { passed: true },
    nvme_smart_health_information_log: log,
  }
  return { disks: [nvme], filesystems }
}

const programs: Record<string, string[]> = {
  [linux]: ['bash 5.2.21', 'coreutils 9.4', 'firefox 131.0', 'gcc 13.2.0', 'libreoffice 24.2.6', 'python3 3.12.3'],
  [windows]: ['7-Zip 23.01', 'Google Chrome 130.0', 'LibreOffice 24.2.6', 'Microsoft Edge 130.0', 'Python 3.12.3'],
}

/** One line each, the operating system first. */
export const software = (os: string) => [os, ...(programs[os] ?? [])].join('\n')
