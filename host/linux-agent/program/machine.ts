// What identifies this computer: its name, system, serial number and network interface.
import { hostname, networkInterfaces } from 'node:os'
import type { SystemFiles } from './system-files.ts'

/** The name of the installed system: `Debian GNU/Linux 12 (bookworm)`. */
export function osName(files: SystemFiles): string {
  const release = files.read('etc/os-release') || files.read('usr/lib/os-release')
  const name = /^PRETTY_NAME=(.*)$/m.exec(release)?.[1] ?? 'Linux'
  return name.replace(/^(["'])(.*)\1$/, '$2')
}

/** Manufacturers' texts where a number was never written. */
const noSerial =
  /^(0+|none|n\/?a|not (specified|applicable)|to be filled by o\.?e\.?m\.?|default string|system serial.*)$/i

/** '' when unknown: the file is readable by root only. */
export function serialNumber(files: SystemFiles): string {
  const serial =
    files.read('sys/class/dmi/id/product_serial') || files.read('sys/firmware/devicetree/base/serial-number')
  return noSerial.test(serial) ? '' : serial
}

export function computerName(files: SystemFiles): string {
  return files.read('proc/sys/kernel/hostname') || hostname()
}

/** The name of the interface that has the address; '' when there is none. */
export function interfaceOf(address: string): string {
  const entries = Object.entries(networkInterfaces())
  return entries.find(([, addresses = []]) => addresses.some(each => each.address === address))?.[0] ?? ''
}

/** Twelve hexadecimal digits with colons between; '' for an interface without a hardware address. */
export function macOf(name: string, files: SystemFiles): string {
  const mac = name === '' ? '' : files.read(`sys/class/net/${name}/address`)
  return /^(?!00:00:00:00:00:00)([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(mac) ? mac.toLowerCase() : ''
}

/** Mbit/s; undefined when the interface does not say, as wireless ones. */
export function linkSpeed(name: string, files: SystemFiles): number | undefined {
  const speed = name === '' ? 0 : Number(files.read(`sys/class/net/${name}/speed`))
  return Number.isInteger(speed) && speed > 0 ? speed : undefined
}
