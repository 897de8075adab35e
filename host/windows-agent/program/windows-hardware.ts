// The inventory of hardware as lines `mmm=text`, from the CIM classes of Windows.
import { mostHardware } from '../../agent-program/inventory-limits.ts'
import type { CimQueries } from './cim-query.ts'
import { listOf, type Values } from './cim-values.ts'

/** The class by which each mnemonic is read, and the properties that its line has. */
const classes: Record<string, [className: string, ...properties: string[]]> = {
  mod: ['Win32_ComputerSystem', 'Manufacturer', 'Model'],
  boa: ['Win32_BaseBoard', 'Manufacturer', 'Product', 'Version'],
  bio: ['Win32_BIOS', 'Manufacturer', 'SMBIOSBIOSVersion'],
  cpu: ['Win32_Processor', 'Name'],
  mem: ['Win32_PhysicalMemory', 'Manufacturer', 'Capacity', 'Speed'],
  dis: ['Win32_DiskDrive', 'Model', 'Size'],
  cdr: ['Win32_CDROMDrive', 'Name'],
  net: ['Win32_NetworkAdapter', 'Name', 'PNPDeviceID'],
  vga: ['Win32_VideoController', 'Name'],
  aud: ['Win32_SoundDevice', 'Name'],
  usb: ['Win32_USBController', 'Name'],
}

export const hardwareQueries: CimQueries = Object.fromEntries(
  Object.entries(classes).map(([key, [className, ...properties]]) => [key, { className, properties }]),
)

/** `answer`: what the queries resolve to. `firmware`: `UEFI` or `Legacy`; '' when unknown. */
export function toHardware(answer: unknown, firmware: string): string {
  const lines = Object.entries(classes).flatMap(([key, [, ...properties]]) =>
    listOf(answer, key)
      // Adapters of the system itself are in no slot.
      .filter(row => key !== 'net' || String(row.PNPDeviceID).startsWith('PCI'))
      .map(row => textOf(row, properties))
      .filter(text => text !== '')
      .map(text => `${key}=${text}`),
  )
  if (firmware !== '') lines.push(`boo=${firmware === 'UEFI' ? 'UEFI' : 'BIOS'}`)
  return lines.slice(0, mostHardware).join('\n')
}

function textOf(row: Values, properties: string[]): string {
  const shown = properties.filter(name => name !== 'PNPDeviceID').map(name => shownValue(name, row[name]))
  return shown.filter(text => text !== '').join(' ')
}

function shownValue(name: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (name === 'Capacity') return `${Number(value) / 2 ** 30} GiB`
  if (name === 'Size') return `${Math.round(Number(value) / 1e9)} GB`
  if (name === 'Speed') return `${value} MT/s`
  return String(value).trim()
}
